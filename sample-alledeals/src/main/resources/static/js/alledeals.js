// What browser and htmx leave open: a button shows that it works, and a poll that brings nothing new leaves the page alone.
(() => {
  const last = new Map();
  let focused = null;

  // A poll that repeats itself would be read out again, and take the focus away.
  document.addEventListener('htmx:beforeSwap', ({detail}) => {
    const {target, requestConfig, xhr} = detail;
    if (!target.id) return;
    const news = requestConfig.verb === 'get' ? requestConfig.path + '\n' + xhr.responseText : null;
    if (news !== null && last.get(target.id) === news) detail.shouldSwap = false;
    last.set(target.id, news);
    const active = document.activeElement;
    focused = target.contains(active) ? {tag: active.tagName, text: active.textContent.trim()} : null;
  });

  // What had the focus has it in the new part, too, if it is still there.
  document.addEventListener('htmx:afterSettle', ({detail}) => {
    if (focused === null || document.activeElement !== document.body) return;
    [...detail.elt.querySelectorAll(focused.tag)].find(each => each.textContent.trim() === focused.text)?.focus({preventScroll: true});
    focused = null;
  });

  // htmx marks a form by itself. One form sent twice does no harm: it carries the id of what it makes.
  document.addEventListener('submit', event => {
    if (!event.defaultPrevented) event.submitter?.setAttribute('aria-busy', 'true');
  });
  window.addEventListener('pageshow', () => document.querySelectorAll('button[aria-busy]').forEach(each => each.removeAttribute('aria-busy')));
})();
