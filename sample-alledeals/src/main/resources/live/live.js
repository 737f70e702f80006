const KEPT = 120;
const SVG = 'http://www.w3.org/2000/svg';
const rows = new Map();
const number = new Intl.NumberFormat('en', {maximumSignificantDigits: 4});

const GROUPS = {backlog: 'Backlog', clock: 'Clocks', journal: 'Journal', lease: 'Leases', overwrite: 'Overwrites', retry: 'Retries', unique: 'Unique values'};

function cell(tr, tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  tr.append(made);
  return made;
}

function group(name) {
  const id = 'group-' + name;
  const there = document.getElementById(id);
  if (there) return there;
  const body = document.createElement('tbody');
  body.id = id;
  const head = cell(body.insertRow(), 'th', GROUPS[name] ?? name);
  head.scope = 'rowgroup';
  head.colSpan = 4;
  const series = document.getElementById('series');
  series.insertBefore(body, [...series.tBodies].find(other => other.id > id) ?? null);
  return body;
}

function row(title) {
  const [, name, rest] = title.match(/^surewrite\.(\w+)[.:]?\s*(.*)$/);
  const tr = document.createElement('tr');
  cell(tr, 'th', (rest || 'all').replaceAll(/[._]/g, ' ')).scope = 'row';
  const now = cell(tr, 'td', '');
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${KEPT - 1} 40`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'polyline');
  svg.append(line);
  cell(tr, 'td', '').append(svg);
  const scale = cell(tr, 'td', '');
  tr.dataset.title = title;
  const body = group(name);
  body.insertBefore(tr, [...body.rows].find(other => other.dataset.title > title) ?? null);
  const made = {now, line, scale, points: [], before: null};
  rows.set(title, made);
  return made;
}

function draw(title, {value, grows, unit}) {
  if (value === 0 && !rows.has(title)) return;
  const {now, line, scale, points, before} = rows.get(title) ?? row(title);
  rows.get(title).before = value;
  points.push(grows ? Math.max(0, value - (before ?? value)) : value);
  if (points.length > KEPT) points.shift();
  now.textContent = number.format(value) + (unit ? ' ' + unit : '');
  const low = Math.min(0, ...points);
  const high = Math.max(...points);
  scale.textContent = number.format(high) + (grows ? ' a second' : '');
  line.setAttribute('points', points.map((each, at) => `${KEPT - points.length + at},${38 - 36 * (each - low) / (high - low || 1)}`).join(' '));
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
