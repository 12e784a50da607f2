import { member, parseJson } from '../../json.ts';
import type { Defects, Parts } from '../mutant.ts';
import {
  type ForkCall,
  forkAnswered,
  forkRefused,
  forking,
  forkingInstead,
  leftOut,
  logOf,
  nestedEnvelope,
  readingForkMember,
  refusedWith,
  refusingForks,
} from '../shared/fork-parts.ts';

/** A replay whose overlay holds this member alone is carried out without the overlay. */
function replayingWithOverlayOf(name: string): Parts {
  return forkingInstead((body) => {
    const members = Object.keys(Object(body['runOptionsOverlay']));
    const isMeant = body['mode'] === 'replay' && members.length === 1 && members[0] === name;
    return isMeant ? leftOut(body, 'runOptionsOverlay') : undefined;
  });
}

/** Bodies that a parser cannot read are answered with a page of its own, at every endpoint. */
function readingBodies(cannotRead: (text: string) => boolean, status: number): Parts {
  return ({ middleware }) => ({
    middleware: (next) =>
      middleware(async (request) => {
        const text = request.method === 'POST' ? await request.clone().text() : undefined;
        return text !== undefined && cannotRead(text) ? page(status) : next(request);
      }),
  });
}

/** Answers forks of runs that there are not with 500 where their bodies fit. */
function stumblingOverNone(fits: (call: ForkCall) => boolean): Parts {
  return forking(async (call) => {
    const response = await call.send();
    return response.status === 404 && fits(call) ? new Response(null, { status: 500 }) : response;
  });
}

function page(status: number): Response {
  const headers = { 'content-type': 'text/html' };
  return new Response(`<!doctype html><title>${status}</title>`, { status, headers });
}

/** Fork requests that have to be refused, and how they are. */
export const defects: Defects = {
  'fork-from-seq-as-text': {
    breaks: 'The answer to a fork tells fromSeq as a text.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => ({ ...answer, fromSeq: String(answer['fromSeq']) })),
  },
  'replay-drops-overlay': {
    breaks: 'A replay with a run options overlay is carried out without it.',
    kills: ['fork.replay-refuses-overlay'],
    parts: forkingInstead((body) =>
      body['mode'] === 'replay' && 'runOptionsOverlay' in body ? leftOut(body, 'runOptionsOverlay') : undefined,
    ),
  },
  'replay-takes-inputs-overlay': {
    breaks: 'A replay with other inputs in its overlay, and nothing else, is carried out as one without.',
    kills: ['fork.replay-refuses-overlay'],
    parts: replayingWithOverlayOf('inputs'),
  },
  'replay-takes-metadata-overlay': {
    breaks: 'A replay with other metadata in its overlay, and nothing else, is carried out as one without.',
    kills: ['fork.replay-refuses-overlay'],
    parts: replayingWithOverlayOf('metadata'),
  },
  'replay-takes-unknown-overlay': {
    breaks: 'What an overlay holds that the host does not know is dropped before it is asked whether it is empty.',
    kills: ['fork.replay-refuses-overlay'],
    parts: replayingWithOverlayOf('x-conformance'),
  },
  'replay-takes-overlay-of-another-type': {
    breaks: 'A run options overlay of a replay that is a text or a list counts as none.',
    kills: ['fork.replay-refuses-overlay'],
    parts: forkingInstead((body) => {
      const overlay = body['runOptionsOverlay'];
      const isOther = typeof overlay === 'string' || Array.isArray(overlay);
      return body['mode'] === 'replay' && isOther ? leftOut(body, 'runOptionsOverlay') : undefined;
    }),
  },
  'later-replay-takes-overlay': {
    breaks: 'A replay from a later event that has a run options overlay is carried out without it.',
    kills: ['fork.replay-refuses-overlay'],
    parts: forkingInstead((body) =>
      body['mode'] === 'replay' && 'runOptionsOverlay' in body && Number(body['fromSeq'] ?? 0) > 0
        ? leftOut(body, 'runOptionsOverlay')
        : undefined,
    ),
  },
  'replay-refuses-empty-overlay': {
    breaks: 'A replay with an empty run options overlay is refused.',
    kills: ['fork.replay-refuses-overlay'],
    parts: refusingForks(
      ({ body }) => body['mode'] === 'replay' && 'runOptionsOverlay' in body,
      400,
      'validation_error',
      'A replay takes no overlay.',
    ),
  },
  'replay-refuses-overlay-late': {
    breaks: 'A replay with a run options overlay is refused with 422.',
    kills: ['fork.replay-refuses-overlay'],
    parts: refusingForks(
      ({ body }) => body['mode'] === 'replay' && Object.keys(Object(body['runOptionsOverlay'])).length > 0,
      422,
      'overlay_not_allowed',
      'A replay takes no overlay.',
    ),
  },
  'fork-from-seq-clamped': {
    breaks: 'A fromSeq past the end counts as the last event.',
    kills: ['fork.rejects-absent-sequence'],
    parts: forking(async (call) => {
      const { body, send } = call;
      const fromSeq = body['fromSeq'];
      const last = Number(member((await logOf(call)).at(-1), 'sequence'));
      return Number.isSafeInteger(fromSeq) && Number(fromSeq) > last
        ? send({ body: { ...body, fromSeq: last } })
        : send();
    }),
  },
  'fork-from-seq-clamped-near': {
    breaks: 'A fromSeq shortly past the end counts as the last event.',
    kills: ['fork.rejects-absent-sequence'],
    parts: forking(async (call) => {
      const { body, send } = call;
      const last = Number(member((await logOf(call)).at(-1), 'sequence'));
      const isNear = [1, 2].some((past) => body['fromSeq'] === last + past);
      return isNear ? send({ body: { ...body, fromSeq: last } }) : send();
    }),
  },
  'branch-from-seq-clamped': {
    breaks: 'A branch from past the end is one from the last event.',
    kills: ['fork.rejects-absent-sequence.branch'],
    parts: forking(async (call) => {
      const { body, send } = call;
      const last = Number(member((await logOf(call)).at(-1), 'sequence'));
      const isPast = body['mode'] === 'branch' && Number.isInteger(body['fromSeq']) && Number(body['fromSeq']) > last;
      return isPast ? send({ body: { ...body, fromSeq: last } }) : send();
    }),
  },
  'branch-from-seq-floored': {
    breaks: 'A branch from a fraction is rounded down.',
    kills: ['fork.rejects-bad-from-seq.branch'],
    parts: forkingInstead((body) => {
      const { mode, fromSeq } = body;
      const isFraction = mode === 'branch' && typeof fromSeq === 'number' && !Number.isInteger(fromSeq);
      return isFraction ? { ...body, fromSeq: Math.floor(fromSeq) } : undefined;
    }),
  },
  'branch-of-unknown-run-bad-request': {
    breaks: 'A branch of a run that there is not is answered with 400.',
    kills: ['fork.unknown-run.branch'],
    parts: forking(async ({ body, send }) => {
      const response = await send();
      const isMeant = body['mode'] === 'branch' && response.status === 404;
      return isMeant ? new Response(response.body, { headers: response.headers, status: 400 }) : response;
    }),
  },
  'fork-id-of-another-form-fails': {
    breaks: 'A fork of a run whose id has another form than the ids of the host ends in a server error.',
    kills: ['fork.unknown-run'],
    parts: refusingForks(({ sourceRunId }) => !sourceRunId.startsWith('run_'), 500, 'internal_error', 'Invalid input.'),
  },
  'fork-past-the-end-not-found': {
    breaks: 'A fromSeq past the end is answered with 404.',
    kills: ['fork.rejects-absent-sequence'],
    parts: forking(async ({ send }) => {
      const response = await send();
      return response.status === 422
        ? new Response(response.body, { headers: response.headers, status: 404 })
        : response;
    }),
  },
  'fork-from-seq-floored': {
    breaks: 'A fractional fromSeq is rounded down.',
    kills: ['fork.rejects-bad-from-seq'],
    parts: readingForkMember('fromSeq', (given) =>
      typeof given === 'number' && !Number.isInteger(given) ? Math.floor(given) : given,
    ),
  },
  'fork-from-seq-coerced': {
    breaks: 'A fromSeq that is a text is read as a number.',
    kills: ['fork.rejects-bad-from-seq'],
    parts: readingForkMember('fromSeq', (given) => (typeof given === 'string' && given !== '' ? Number(given) : given)),
  },
  'fork-from-seq-negative-as-zero': {
    breaks: 'A negative fromSeq counts as 0.',
    kills: ['fork.rejects-bad-from-seq'],
    parts: readingForkMember('fromSeq', (given) => (typeof given === 'number' && given < 0 ? 0 : given)),
  },
  'fork-from-seq-of-no-place-as-zero': {
    breaks: 'Whatever a fork names as its fromSeq that is no sequence number counts as 0, null too.',
    kills: ['fork.rejects-bad-from-seq'],
    parts: readingForkMember('fromSeq', (given) =>
      given === undefined || (Number(given) > 0 && Number.isInteger(given)) ? given : 0,
    ),
  },
  'fork-from-seq-flag-as-one': {
    breaks: 'A fromSeq of true counts as 1.',
    kills: ['fork.rejects-bad-from-seq'],
    parts: readingForkMember('fromSeq', (given) => (typeof given === 'boolean' ? Number(given) : given)),
  },
  'fork-from-seq-of-other-types-ignored': {
    breaks: 'A fromSeq that is a list or an object is ignored.',
    kills: ['fork.rejects-bad-from-seq'],
    parts: readingForkMember('fromSeq', (given) => (typeof given === 'object' && given !== null ? undefined : given)),
  },
  'fork-unknown-mode-replays': {
    breaks: 'A mode that there is not counts as replay.',
    kills: ['fork.rejects-bad-mode'],
    parts: readingForkMember('mode', (mode) =>
      typeof mode === 'string' && !['replay', 'branch'].includes(mode) ? 'replay' : mode,
    ),
  },
  'fork-mode-defaulted': {
    breaks: 'A request without a mode is a replay.',
    kills: ['fork.rejects-bad-mode'],
    parts: forkingInstead((body, { text }) =>
      text.startsWith('{') && Object.keys(body).every((name) => name === 'fromSeq') && !text.includes('mode')
        ? { ...body, mode: 'replay' }
        : undefined,
    ),
  },
  'fork-mode-case-folded': {
    breaks: 'The mode is read without regard to case.',
    kills: ['fork.rejects-bad-mode'],
    parts: readingForkMember('mode', (mode) => (typeof mode === 'string' ? mode.toLowerCase() : mode)),
  },
  'fork-mode-trimmed': {
    breaks: 'Spaces around the mode are cut off.',
    kills: ['fork.rejects-bad-mode'],
    parts: readingForkMember('mode', (mode) => (typeof mode === 'string' ? mode.trim() : mode)),
  },
  'fork-mode-as-list': {
    breaks: 'A list with one mode counts as that mode.',
    kills: ['fork.rejects-bad-mode'],
    parts: readingForkMember('mode', (mode) => (Array.isArray(mode) ? String(mode) : mode)),
  },
  'fork-bad-mode-unprocessable': {
    breaks: 'An unknown mode is refused with 422.',
    kills: ['fork.rejects-bad-mode'],
    parts: refusingForks(({ body }) => body['mode'] === 'rewind', 422, 'unknown_mode', 'There is no such mode.'),
  },
  'fork-mode-of-every-object-fails': {
    breaks: 'A mode that is looked up in an object, and found in what every object has, ends in a server error.',
    kills: ['fork.rejects-bad-mode'],
    parts: refusingForks(({ body }) => String(body['mode']) in {}, 500, 'internal_error', 'It is no function.'),
  },
  'fork-without-mode-of-no-run-fails': {
    breaks: 'A body without a mode makes the fork endpoint stumble where there is no such run.',
    kills: ['fork.rejects-bad-mode'],
    parts: stumblingOverNone(({ text, body }) => parseJson(text).ok && body['mode'] === undefined),
  },
  'fork-malformed-of-no-run-fails': {
    breaks: 'A body that is not JSON makes the fork endpoint stumble where there is no such run.',
    kills: ['fork.rejects-malformed-body'],
    parts: stumblingOverNone(({ text }) => !parseJson(text).ok),
  },
  'fork-malformed-fails': {
    breaks: 'A body that is not JSON makes the fork endpoint stumble.',
    kills: ['fork.rejects-malformed-body'],
    parts: refusingForks(({ text }) => !parseJson(text).ok, 500, 'internal_error', 'Something went wrong.'),
  },
  'fork-malformed-redirected': {
    breaks: 'A body that is not JSON is redirected nowhere by the fork endpoint.',
    kills: ['fork.rejects-malformed-body'],
    parts: refusingForks(({ text }) => !parseJson(text).ok, 302, 'found', 'It is elsewhere.'),
  },
  'fork-list-unwrapped': {
    breaks: 'Of a list of fork requests the first one is carried out.',
    kills: ['fork.rejects-malformed-body'],
    parts: forkingInstead((_, { text }) => {
      const reading = parseJson(text);
      return reading.ok && Array.isArray(reading.value) ? reading.value[0] : undefined;
    }),
  },
  'fork-malformed-as-empty': {
    breaks: 'A body that is not JSON counts as a replay.',
    kills: ['fork.rejects-malformed-body'],
    parts: forkingInstead((_, { text }) => (parseJson(text).ok ? undefined : { mode: 'replay' })),
  },
  'fork-loose-json': {
    breaks: 'The parser takes single quotes and NaN.',
    kills: ['fork.rejects-malformed-body'],
    parts: forkingInstead((_, { text }) => {
      const loose = parseJson(text.replaceAll("'", '"').replaceAll('NaN', 'null'));
      return parseJson(text).ok || !loose.ok ? undefined : loose.value;
    }),
  },
  'fork-utf8-lenient-crash': {
    breaks: 'Bytes that are no UTF-8 make the fork endpoint stumble.',
    kills: ['fork.rejects-malformed-body'],
    parts: refusingForks(({ text }) => text.includes('\ufffd'), 500, 'internal_error', 'Something went wrong.'),
  },
  'fork-deep-body-crash': {
    breaks: 'A deeply nested body makes the fork endpoint stumble.',
    kills: ['fork.rejects-malformed-body'],
    parts: refusingForks(({ text }) => text.startsWith('[[[['), 500, 'internal_error', 'Something went wrong.'),
  },
  'fork-under-a-used-key-refused-in-own-words': {
    breaks: 'A fork under an Idempotency-Key that another body has used is refused with a code alone.',
    kills: ['fork.error-envelope'],
    parts: forking(async ({ send }) => {
      const response = await send();
      return response.status === 409 ? Response.json({ code: 'idempotency_key_conflict' }, { status: 409 }) : response;
    }),
  },
  'fork-malformed-as-page': {
    breaks: 'The framework answers a body that is not JSON with a page of its own.',
    kills: ['fork.error-envelope'],
    parts: forking(({ text, send }) => (parseJson(text).ok ? send() : page(400))),
  },
  'every-body-not-read-as-page': {
    breaks: 'The framework answers a body that is not JSON with a page of its own, at every endpoint.',
    kills: ['fork.error-envelope'],
    parts: readingBodies((text) => !parseJson(text).ok, 400),
  },
  'every-body-not-read-fails': {
    breaks: 'A body that is not JSON, or holds a number beyond a double, makes every endpoint stumble.',
    kills: ['fork.rejects-malformed-body'],
    parts: readingBodies((text) => !parseJson(text).ok || text.includes('1e400'), 500),
  },
  'fork-refuses-with-500': {
    breaks: 'Whatever is refused with 400 is answered with 500.',
    kills: ['fork.rejects-malformed-body'],
    parts: refusedWith(400, 500),
  },
  'fork-unknown-run-bad-request': {
    breaks: 'A fork of a run that there is not is answered with 400.',
    kills: ['fork.unknown-run'],
    parts: refusedWith(404, 400),
  },
  'fork-unknown-run-gone': {
    breaks: 'A fork of a run that there is not is answered with 410.',
    kills: ['fork.unknown-run'],
    parts: refusedWith(404, 410),
  },
  'fork-refusal-with-request-id': {
    breaks: 'A refused fork has a member requestId beside the envelope.',
    kills: ['fork.error-envelope'],
    parts: forkRefused(async (response) =>
      Response.json({ ...Object(await response.json()), requestId: 'r-1' }, { status: response.status }),
    ),
  },
  'fork-refusal-without-message': {
    breaks: 'A refused fork has no message.',
    kills: ['fork.error-envelope'],
    parts: forkRefused(async (response) =>
      Response.json({ error: member(await response.json(), 'error') }, { status: response.status }),
    ),
  },
  'fork-refusal-as-text': {
    breaks: 'A refused fork is answered with plain text.',
    kills: ['fork.error-envelope'],
    parts: forkRefused((response) => new Response('Bad request', { status: response.status })),
  },
  'fork-refusal-nested': {
    breaks: 'A refused fork nests the error code.',
    kills: ['fork.error-envelope'],
    parts: forkRefused(nestedEnvelope),
  },
  'branch-refusal-nested': {
    breaks: 'A branch that is refused for its missing fromSeq nests the error code; other refusals do not.',
    kills: ['fork.error-envelope.branch'],
    parts: forking(async ({ body, send }) => {
      const response = await send();
      const isMeant = body.mode === 'branch' && body.fromSeq === undefined && response.status >= 400;
      return isMeant ? nestedEnvelope(response) : response;
    }),
  },
  'forbidden-fork-nested': {
    breaks: 'A fork that is refused for a missing scope nests the error code; other refusals do not.',
    kills: ['fork.error-envelope.scope'],
    parts: forkRefused((response) => (response.status === 403 ? nestedEnvelope(response) : response)),
  },
};
