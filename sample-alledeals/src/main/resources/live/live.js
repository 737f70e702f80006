const KEPT = 120;
const SVG = 'http://www.w3.org/2000/svg';
const rows = new Map();
const number = new Intl.NumberFormat('en', {maximumSignificantDigits: 4});

function row(title) {
  const tr = document.createElement('tr');
  const th = document.createElement('th');
  th.scope = 'row';
  th.textContent = title;
  const now = document.createElement('td');
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${KEPT - 1} 40`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'polyline');
  svg.append(line);
  const cell = document.createElement('td');
  cell.append(svg);
  tr.append(th, now, cell);
  const after = [...rows].filter(([other]) => other > title).sort(([a], [b]) => a < b ? -1 : 1)[0];
  document.getElementById('series').insertBefore(tr, after ? after[1].tr : null);
  const made = {tr, now, line, points: [], before: null};
  rows.set(title, made);
  return made;
}

function draw(title, {value, grows, unit}) {
  if (value === 0 && !rows.has(title)) return;
  const {now, line, points, before} = rows.get(title) ?? row(title);
  rows.get(title).before = value;
  points.push(grows ? Math.max(0, value - (before ?? value)) : value);
  if (points.length > KEPT) points.shift();
  now.textContent = number.format(value) + (unit ? ' ' + unit : '');
  const low = Math.min(0, ...points);
  const span = Math.max(...points) - low || 1;
  line.setAttribute('points', points.map((each, at) => `${KEPT - points.length + at},${38 - 36 * (each - low) / span}`).join(' '));
}

async function ask() {
  const health = document.getElementById('health');
  let said = 'no answer';
  try {
    const answer = await fetch('live/numbers', {signal: AbortSignal.timeout(5000)});
    const numbers = await answer.json();
    said = numbers.health;
    Object.entries(numbers.series).forEach(([title, series]) => draw(title, series));
  } catch { /* said is what there is to say */ }
  if (health.textContent !== said) health.textContent = said;
  health.classList.toggle('wrong', said !== 'UP');
  setTimeout(ask, 1000);
}

ask();
