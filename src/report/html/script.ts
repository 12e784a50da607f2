/**
 * The report's script: filters by verdict, suite, level and text, keys to move by, and unfolds what a link leads to. The page is whole
 * without it. It makes no markup and asks for nothing.
 */
export const REPORT_SCRIPT = String.raw`'use strict';
(() => {
  const form = document.getElementById('filter');
  const count = document.getElementById('count');
  const all = [...document.querySelectorAll('[data-outcome]')];
  const groups = [...document.querySelectorAll('.register tbody, details.suite, .cause')];
  const RED = ['failed', 'broken'];
  const OPEN = ['undecided', 'left'];
  const kinds = { red: RED, open: OPEN, passed: ['passed'], advice: ['advice', 'known'], none: ['not-applicable'] };
  form.hidden = false;

  function fits(element) {
    const { outcome, suite, level, text } = element.dataset;
    const wanted = form.verdict.value;
    if (wanted !== '' && !kinds[wanted].includes(outcome)) return false;
    if (form.suite.value !== '' && form.suite.value !== suite) return false;
    if (form.level.value !== '' && form.level.value !== level) return false;
    return form.words.value.toLowerCase().split(/\s+/u).every((word) => text.includes(word));
  }

  function filter() {
    for (const element of all) element.hidden = !fits(element);
    for (const group of groups) {
      const rows = [...group.querySelectorAll('[data-outcome]')];
      group.hidden = rows.length > 0 && rows.every((row) => row.hidden);
    }
    const asked = [form.verdict, form.suite, form.level, form.words].some((field) => field.value !== '');
    if (asked) for (const suite of document.querySelectorAll('details.suite')) suite.open = !suite.hidden;
    const rows = all.filter((element) => element.localName === 'tr' && !element.hidden).length;
    count.textContent = asked ? rows + (rows === 1 ? ' check' : ' checks') : '';
  }

  function unfold() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id === '' ? null : document.getElementById(id);
    if (target === null) return;
    if (target.hidden) {
      form.reset();
      filter();
    }
    for (let at = target; at !== null; at = at.parentElement) if (at.localName === 'details') at.open = true;
    target.scrollIntoView();
    target.setAttribute('tabindex', '-1');
    target.focus({ preventScroll: true });
  }

  function move(step) {
    const places = [...document.querySelectorAll('article.red:not([hidden])')];
    if (places.length === 0) return;
    const at = places.indexOf(document.activeElement?.closest('article.red') ?? null);
    const next = places[Math.min(places.length - 1, Math.max(0, at === -1 ? 0 : at + step))];
    location.hash = next.id;
    unfold();
  }

  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(filter));
  addEventListener('hashchange', unfold);
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = ['input', 'select', 'textarea'].includes(event.target.localName);
    if (event.key === 'Escape' && isTyping) {
      form.reset();
      event.target.blur();
    } else if (!isTyping && event.key === '/') {
      event.preventDefault();
      form.words.focus();
    } else if (!isTyping && event.key === 'j') move(1);
    else if (!isTyping && event.key === 'k') move(-1);
  });
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:is(.suite, .block, .plain > li > *):not([open])')];
    for (const each of folded) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of folded) each.open = false;
  });
  unfold();
})();
`;
