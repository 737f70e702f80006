// Plays the timelines of an experiment slowly, or a message at a time. Without it they are lists and pictures, whole from the start.
(() => {
  const LEFT = 100, WIDTH = 290; // as in TimelineView

  const start = sides => {
    const player = sides.querySelector('.player[hidden]');
    if (!player) return;
    const [play, back, step] = ['.play', '.back', '.step'].map(each => player.querySelector(each));
    const [speed, time, clock, voice] = ['.speed', 'input', 'output', '[role=status]'].map(each => player.querySelector(each));
    const at = each => Number(each.dataset.at);
    const lines = [...sides.querySelectorAll('.timeline li')].sort((one, other) => at(one) - at(other));
    const marks = [...sides.querySelectorAll('.lanes path')];
    const end = Number(time.max);
    let shown = lines.length; // how many lines are to be seen
    let now = end;
    let frame = null;

    const show = () => {
      lines.forEach((line, i) => {
        line.classList.toggle('later', i >= shown);
        if (i === shown - 1 && shown < lines.length) line.setAttribute('aria-current', 'step');
        else line.removeAttribute('aria-current');
      });
      marks.forEach(mark => mark.classList.toggle('later', at(mark) > now));
      sides.querySelectorAll('.now').forEach(line => ['x1', 'x2'].forEach(x => line.setAttribute(x, LEFT + WIDTH * now / end)));
      time.value = now;
      clock.value = Math.round(now) + ' ms';
      const line = lines[shown - 1];
      if (line && shown < lines.length) line.parentElement.scrollTop = line.offsetTop - line.parentElement.clientHeight / 2;
    };
    const moveTo = moment => {
      now = Math.max(0, Math.min(end, moment));
      shown = lines.filter(line => at(line) <= now).length;
      show();
    };
    const stop = () => {
      if (frame !== null) cancelAnimationFrame(frame);
      frame = null;
      play.textContent = 'Play';
    };
    const go = () => {
      let last = performance.now();
      if (now >= end) moveTo(0);
      play.textContent = 'Pause';
      const tick = moment => {
        moveTo(now + (moment - last) * speed.value);
        last = moment;
        if (now < end) frame = requestAnimationFrame(tick);
        else stop();
      };
      frame = requestAnimationFrame(tick);
    };
    const stepTo = count => {
      stop();
      shown = Math.max(0, Math.min(lines.length, count));
      now = shown === 0 ? 0 : at(lines[shown - 1]);
      show();
      const line = lines[shown - 1];
      voice.textContent = line ? line.closest('.pane').getAttribute('aria-label') + ': ' + line.textContent.replace(/\s+/g, ' ').trim() : 'The start';
    };

    play.addEventListener('click', () => frame === null ? go() : stop());
    step.addEventListener('click', () => stepTo(shown === lines.length ? 1 : shown + 1));
    back.addEventListener('click', () => stepTo(shown - 1));
    time.addEventListener('input', () => { stop(); moveTo(Number(time.value)); });
    player.hidden = false;
    // What is new inside of a new part is not read out; what changes in an old one is.
    document.querySelector('#sides-said').textContent = [...sides.querySelectorAll('.pane')]
      .map(pane => pane.getAttribute('aria-label') + ': ' + pane.querySelector('.verdict, .wrong').textContent).join(' ');
  };

  document.querySelector('#sides-form').addEventListener('change', ({target}) => {
    if (target.dataset.question) document.querySelector('#question').textContent = target.dataset.question;
  });
  const startAll = () => document.querySelectorAll('#sides').forEach(start);
  document.addEventListener('htmx:afterSettle', startAll);
  startAll();
})();
