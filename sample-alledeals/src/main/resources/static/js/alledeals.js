// What browser and htmx leave open: a button shows that it works, and a poll that brings nothing new leaves the page alone.
(() => {
  const last = new Map();
  const focused = new Map();

  // A poll that repeats itself would be read out again, and take the focus away.
  document.addEventListener('htmx:beforeSwap', ({detail}) => {
    const {target, requestConfig, xhr} = detail;
    if (!target.id) return;
    const news = requestConfig.verb === 'get' ? requestConfig.path + '\n' + xhr.responseText : null;
    if (news !== null && last.get(target.id) === news) detail.shouldSwap = false;
    last.set(target.id, news);
    const active = document.activeElement;
    focused.delete(target.id);
    if (target.contains(active)) focused.set(target.id, {tag: active.tagName, text: active.textContent.trim()});
  });

  // What had the focus has it in the new part, too, if it is still there.
  document.addEventListener('htmx:afterSettle', ({detail}) => {
    const had = focused.get(detail.elt.id);
    focused.delete(detail.elt.id);
    if (!had || document.activeElement !== document.body) return;
    [...detail.elt.querySelectorAll(had.tag)].find(each => each.textContent.trim() === had.text)?.focus({preventScroll: true});
  });

  // htmx marks a form by itself. One form sent twice does no harm: it carries the id of what it makes.
  document.addEventListener('submit', event => {
    if (!event.defaultPrevented) event.submitter?.setAttribute('aria-busy', 'true');
  });
  window.addEventListener('pageshow', () => document.querySelectorAll('button[aria-busy]').forEach(each => each.removeAttribute('aria-busy')));
})();
