/**
 * The view's script. It keeps the credential in session storage, asks for contents with it, follows a live run and sends the
 * request that a deep link shows when its button is clicked. All HTML is made by the server; a text of a host is never
 * taken for markup here.
 */
export const TIMELINE_SCRIPT = String.raw`'use strict';
(() => {
  const KEY = 'openwop-credential';
  const byId = (id) => document.getElementById(id);
  const content = byId('content');
  const signIn = byId('sign-in');
  const signOut = byId('sign-out');
  const live = byId('live');
  const needsCredential = document.body.hasAttribute('data-needs-credential');
  let visit = new AbortController();

  const credential = () => sessionStorage.getItem(KEY);
  const headers = (more) => ({ authorization: 'Bearer ' + credential(), ...more });
  const here = () => location.pathname + location.search;

  function showSignIn(problem) {
    signIn.hidden = false;
    signOut.hidden = true;
    byId('sign-in-problem').textContent = problem;
    byId('credential').focus();
  }

  function parsed(html) {
    return new DOMParser().parseFromString(html, 'text/html');
  }

  async function ask(address, signal) {
    const answer = await fetch('/ui' + address, { headers: headers(), cache: 'no-store', signal });
    return { status: answer.status, page: parsed(await answer.text()) };
  }

  async function show(address, moves) {
    visit.abort();
    visit = new AbortController();
    const { signal } = visit;
    live.textContent = '';
    if (credential() === null) return showSignIn('');
    try {
      const { status, page } = await ask(address, signal);
      if (status === 401) {
        sessionStorage.removeItem(KEY);
        content.replaceChildren();
        return showSignIn('The host does not know this API key.');
      }
      signIn.hidden = true;
      signOut.hidden = false;
      content.replaceChildren(...page.body.childNodes);
      document.body.dataset.shown = address;
      arrange(moves);
      follow(signal);
    } catch (error) {
      if (signal.aborted) return;
      live.textContent = 'The host does not answer. Reload to try again.';
    }
  }

  function go(address) {
    history.pushState(null, '', address);
    return show(here(), true);
  }

  function arrange(moves) {
    const title = content.querySelector('h1');
    document.title = (title === null ? '' : title.textContent + ' · ') + 'Run Timeline';
    for (const cell of content.querySelectorAll('[data-age] time')) {
      const age = ageOf(cell.dateTime);
      if (age === '') continue;
      cell.before(age, document.createElement('br'));
      cell.classList.add('muted');
    }
    const chosen = content.querySelector('.fork') ?? content.querySelector('[aria-current]');
    if (chosen !== null) chosen.scrollIntoView({ block: 'center' });
    else if (moves) scrollTo(0, 0);
    if (moves) content.focus({ preventScroll: true });
  }

  function ageOf(time) {
    const seconds = Math.round((Date.now() - Date.parse(time)) / 1000);
    if (!(seconds >= 0)) return '';
    for (const [unit, length] of [['day', 86400], ['hour', 3600], ['minute', 60]]) {
      const count = Math.floor(seconds / length);
      if (count > 0) return count + ' ' + unit + (count === 1 ? '' : 's') + ' ago';
    }
    return seconds + ' s ago';
  }

  async function follow(signal) {
    const run = byId('run');
    if (run === null || !run.hasAttribute('data-live')) return;
    live.textContent = 'live';
    while (!signal.aborted && run.hasAttribute('data-live')) {
      try {
        await readStream(run, signal);
        await refresh(run, signal);
      } catch (error) {
        if (!signal.aborted) live.textContent = 'live: waiting for the host';
      }
      if (!signal.aborted && run.hasAttribute('data-live')) await new Promise((done) => setTimeout(done, 1000));
    }
  }

  async function readStream(run, signal) {
    const last = run.dataset.last;
    const more = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
    const path = '/v1/runs/' + encodeURIComponent(run.dataset.run) + '/events?streamMode=debug';
    const answer = await fetch(path, { headers: headers(more), cache: 'no-store', signal });
    if (!answer.ok) throw new Error('refused');
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value.includes('data:')) await refresh(run, signal);
    }
  }

  async function refresh(run, signal) {
    const { status, page } = await ask(here(), signal);
    const fresh = page.getElementById('run');
    if (status !== 200 || fresh === null || signal.aborted) return;
    for (const part of ['#run-head', '.links']) {
      const [old, now] = [run.querySelector(part), fresh.querySelector(part)];
      if (old !== null && now !== null) old.replaceWith(now);
    }
    const events = byId('events');
    const lanes = [run, fresh].map((each) => each.querySelector('.lanes'));
    if (lanes[0].childElementCount !== lanes[1].childElementCount) lanes[0].replaceWith(lanes[1]);
    for (const event of [...fresh.querySelectorAll('#events > li')]) {
      const known = byId(event.id);
      if (known === null) events.append(event);
      else known.querySelector('.dots').replaceWith(event.querySelector('.dots'));
    }
    if (fresh.dataset.last !== undefined) run.dataset.last = fresh.dataset.last;
    run.toggleAttribute('data-live', fresh.hasAttribute('data-live'));
    live.textContent = run.hasAttribute('data-live') ? 'live, up to event ' + run.dataset.last : 'the run has ended';
  }

  async function sendFork(form) {
    const problem = form.querySelector('[data-problem]');
    const { fork, mode, fromSeq } = form.dataset;
    const body = { fromSeq: Number(fromSeq), mode };
    problem.textContent = '';
    if (mode === 'branch') {
      try {
        body.runOptionsOverlay = JSON.parse(form.querySelector('textarea').value || '{}');
      } catch (error) {
        problem.textContent = 'The overlay is no JSON: ' + error.message;
        return;
      }
    }
    const text = JSON.stringify(body);
    if (form.dataset.sent !== text) {
      form.dataset.sent = text;
      form.dataset.key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    const more = { 'content-type': 'application/json', accept: 'application/json', 'idempotency-key': form.dataset.key };
    try {
      const answer = await fetch(fork, { method: 'POST', headers: headers(more), body: text });
      const said = await answer.json().catch(() => ({}));
      if (answer.ok && typeof said.runId === 'string') return go('/runs/' + encodeURIComponent(said.runId));
      problem.textContent = 'The host answered ' + answer.status + (said.error ? ' ' + said.error : '') + ': ' + (said.message ?? 'nothing more.');
    } catch (error) {
      problem.textContent = 'The host does not answer. Another click sends the same request again.';
    }
  }

  function addressOf(form) {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value !== '') query.set(name, value);
    const text = query.toString();
    return form.getAttribute('action') + (text === '' ? '' : '?' + text);
  }

  document.addEventListener('submit', (event) => {
    const form = event.target;
    event.preventDefault();
    if (form.hasAttribute('data-go')) needsCredential ? go(addressOf(form)) : location.assign(addressOf(form));
    else if (form.hasAttribute('data-fork')) sendFork(form);
    else if (form === signIn) {
      sessionStorage.setItem(KEY, byId('credential').value.trim());
      byId('credential').value = '';
      show(here(), true);
    }
  });

  document.addEventListener('change', (event) => {
    const form = event.target.form;
    if (form && form.hasAttribute('data-instant')) form.requestSubmit();
  });

  if (!needsCredential) return arrange(false);

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link === null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const address = link.getAttribute('href');
    if (!/^\/(?:$|\?|runs\/)/.test(address)) return;
    event.preventDefault();
    go(address);
  });
  addEventListener('popstate', () => show(here(), true));
  signOut.addEventListener('click', () => {
    sessionStorage.removeItem(KEY);
    content.replaceChildren();
    show(here(), false);
  });
  show(here(), false);
})();
`;
