import { isDeepStrictEqual } from 'node:util';
import { member, type JsonObject } from '../../json.ts';
import type { Fetch, HostParts, SpanAttributes } from '../../parts.ts';
import type { SecretAt } from '../../policies/governance.ts';
import type { Defect, Defects, Parts } from '../mutant.ts';
import { forkAnswered, forking } from '../shared/fork-parts.ts';
import { showing, showingInReplays } from '../shared/governance-parts.ts';
import { noticing, rememberingInputs } from '../shared/run-memory.ts';
import { changingFrames } from '../shared/run-wire.ts';

/** What is red where a secret shows wherever a replay does. */
const EVERYWHERE = ['privacy.same-redaction.events'];

/** A defect that shows those secrets of replays that are as these. */
function leaking(these: Partial<SecretAt>, kills: readonly string[], breaks: string): Defect {
  const parts = showingInReplays((secret) => isDeepStrictEqual({ ...secret, ...these }, secret));
  return { breaks, kills, parts };
}

/** Streams of forks that go on behind an event show what was given to the first of their sources, where credentials are among it. */
const resumedWithInputs: Parts = (conformant) => {
  const inputs = new Map<string, unknown>();
  const given = new Map<string, unknown>();
  const { forkEndpoint } = forkAnswered((answer, { sourceRunId }) => {
    given.set(String(member(answer, 'runId')), inputs.get(sourceRunId) ?? given.get(sourceRunId));
    return answer;
  })(conformant);
  const middleware = (next: Fetch): Fetch =>
    rememberingInputs(async (request) => {
      const response = await next(request);
      const shown = given.get(new URL(request.url).pathname.split('/')[3] ?? '');
      const isResumed = request.headers.has('last-event-id') && member(shown, 'credentials') !== undefined;
      return isResumed ? changingFrames(response, (event) => [{ ...event, inputs: shown }]) : response;
    }, inputs);
  return { ...(forkEndpoint === undefined ? {} : { forkEndpoint }), middleware };
};

/** What each run was given, by run id: forks have that of their source. */
function knowingInputs(answered: (inputs: unknown) => JsonObject) {
  const inputs = new Map<string, unknown>();
  const forked = forkAnswered((answer, { sourceRunId }) => {
    const given = inputs.get(sourceRunId);
    inputs.set(String(answer['runId']), given);
    return hasCredentials(given) ? { ...answer, ...answered(given) } : answer;
  });
  return { inputs, forked };
}

function hasCredentials(inputs: unknown): boolean {
  return member(inputs, 'credentials') !== undefined;
}

const DIFF = /^\/v1\/runs\/([^/]+):diff$/;
const PAGE = /^\/runs\/([^/]+)$/;
const HTML = { 'content-type': 'text/html' };
const REPORT = /^\/v1\/runs\/([^/]+)\/determinism$/;

/** Comparisons of runs show what both were given, where credentials are among it; forks may be answered with it, too. */
function comparisonsWithInputs(path: RegExp, answered: (inputs: unknown) => JsonObject = () => ({})): Parts {
  return (conformant) => {
    const { inputs, forked } = knowingInputs(answered);
    const { forkEndpoint } = forked(conformant);
    const middleware = (next: Fetch): Fetch =>
      rememberingInputs(async (request) => {
        const response = await next(request);
        const { pathname, searchParams } = new URL(request.url);
        const [, a] = path.exec(pathname) ?? [];
        if (a === undefined || !response.ok) return response;
        const given = [a, searchParams.get('against')].map((runId) => inputs.get(runId ?? ''));
        if (!given.some(hasCredentials)) return response;
        const body = Object(await response.json()) as JsonObject;
        const stateDiff = { ...Object(body['stateDiff']), inputs: given };
        return Response.json({ ...body, stateDiff });
      }, inputs);
    return { ...(forkEndpoint === undefined ? {} : { forkEndpoint }), middleware };
  };
}

/** Spans of forks say otherwise, which know what their runs were given. */
function spansOfReplays(saying: (inputsOf: (span: SpanAttributes) => string | undefined) => Partial<HostParts>): Parts {
  return () => {
    const inputs = new Map<string, string>();
    return {
      written: (draft, { run }) => {
        if (draft.type === 'run.started' && run.fork !== undefined)
          inputs.set(run.runId, JSON.stringify(member(draft.payload, 'inputs') ?? null));
        return [draft];
      },
      ...saying((attributes) => inputs.get(String(attributes['openwop.run_id']))),
    };
  };
}

/** Secrets that a fork shows. */
export const defects: Defects = {
  'replays-unredacted': {
    breaks: 'Secrets are redacted of originals only, not of replays.',
    kills: EVERYWHERE,
    parts: showingInReplays(),
  },
  'branches-unredacted': {
    breaks: 'Secrets are not redacted of branches.',
    kills: ['privacy.same-redaction.branch'],
    parts: showing(({ run }) => run.fork?.mode === 'branch'),
  },
  'branches-of-branches-unredacted': {
    breaks: 'Secrets are not redacted of branches of branches.',
    kills: ['privacy.same-redaction.branch'],
    parts: (conformant) => {
      const forks = new Set<string>();
      return showing(({ run: { runId, fork } }) => {
        if (fork === undefined) return false;
        forks.add(runId);
        return fork.mode === 'branch' && forks.has(fork.parentRunId);
      })(conformant);
    },
  },
  'replays-unredacted-in-streams': leaking(
    { surface: 'sse' },
    ['privacy.same-redaction.streams'],
    'Event streams of replays show secrets.',
  ),
  'forks-unredacted-where-resumed': {
    breaks: 'A stream of a fork that goes on behind an event repeats the inputs of its source as they are.',
    kills: ['privacy.same-redaction.streams'],
    parts: resumedWithInputs,
  },
  'replays-unredacted-in-debug-mode': leaking(
    { surface: 'sse', streamMode: 'debug' },
    ['privacy.same-redaction.streams'],
    'The debug stream of a replay shows secrets.',
  ),
  'replays-unredacted-in-poll': leaking(
    { surface: 'poll' },
    ['privacy.same-redaction.events'],
    'The poll of a replay shows secrets.',
  ),
  'replays-unredacted-in-log': leaking(
    { surface: 'json' },
    ['privacy.same-redaction.events'],
    'The JSON log of a replay shows secrets.',
  ),
  'replays-unredacted-in-snapshot': leaking(
    { surface: 'snapshot' },
    ['privacy.same-redaction.snapshot'],
    'The snapshot of a replay shows secrets.',
  ),
  'replays-unredacted-in-diff': leaking(
    { surface: 'diff' },
    ['privacy.same-redaction.diff'],
    'Comparisons with a replay show secrets.',
  ),
  'diffs-with-inputs': {
    breaks: 'Every comparison shows what its runs were given as it is.',
    kills: ['privacy.same-redaction.diff'],
    parts: comparisonsWithInputs(DIFF),
  },
  'reports-with-inputs': {
    breaks: 'The determinism report of a replay shows what it was given as it is.',
    kills: ['privacy.same-redaction.diff'],
    parts: comparisonsWithInputs(REPORT),
  },
  'diffs-and-fork-answers-with-inputs': {
    breaks: 'Every comparison and the answer to a fork show what a run was given as it is.',
    kills: ['privacy.same-redaction.diff', 'privacy.same-redaction.answers'],
    parts: comparisonsWithInputs(DIFF, (inputs) => ({ inputs })),
  },
  'replays-unredacted-in-errors': leaking(
    { surface: 'error' },
    ['privacy.same-redaction.errors'],
    'The error of a failed replay shows secrets.',
  ),
  'branches-unredacted-in-errors': {
    breaks: 'The error of a failed branch shows secrets.',
    kills: ['privacy.same-redaction.errors'],
    parts: showing(({ run, surface }) => run.fork?.mode === 'branch' && surface === 'error'),
  },
  'replays-unredacted-escaped': leaking(
    { spelling: 'json' },
    EVERYWHERE,
    'Secrets in JSON inside texts are not found in replays.',
  ),
  'replays-unredacted-base64': leaking(
    { spelling: 'base64' },
    EVERYWHERE,
    'Secrets in base64 are not found in replays.',
  ),
  'replays-unredacted-percent': leaking(
    { spelling: 'percent' },
    EVERYWHERE,
    'Percent-encoded secrets are not found in replays.',
  ),
  'replays-unredacted-tool-secrets': leaking(
    { origin: 'tool' },
    EVERYWHERE,
    'Secrets that a tool answered are not redacted in replays.',
  ),
  'replays-unredacted-model-secrets': leaking(
    { origin: 'model' },
    EVERYWHERE,
    'Secrets that a model put out are not redacted in replays.',
  ),
  'replays-unredacted-resume-secrets': leaking(
    { origin: 'resume' },
    EVERYWHERE,
    'Secrets in the answer to a question are not redacted in replays.',
  ),
  'replays-unredacted-input-secrets': leaking(
    { origin: 'options' },
    EVERYWHERE,
    'Secrets among the run inputs are not redacted in replays.',
  ),
  'replays-of-replays-unredacted': leaking(
    { ofFork: true },
    ['privacy.same-redaction.replay-of-replay'],
    'Secrets are redacted of replays, and not of replays of replays.',
  ),
  'later-replays-unredacted': {
    breaks: 'Secrets are not redacted of replays from later events than the first.',
    kills: ['privacy.same-redaction.replay-of-replay'],
    parts: showingInReplays(({ run }) => (run.fork?.fromSeq ?? 0) > 0),
  },
  'later-replays-of-sources-unredacted': {
    breaks: 'Secrets are not redacted of replays of a run that is no fork from later events than the first.',
    kills: ['privacy.same-redaction.replay-of-replay'],
    parts: showingInReplays(({ run, ofFork }) => !ofFork && (run.fork?.fromSeq ?? 0) > 0),
  },
  'replay-spans-with-inputs': {
    breaks: 'The span of a replay carries the inputs of its run as they are.',
    kills: ['privacy.same-redaction.spans'],
    parts: spansOfReplays((inputsOf) => ({
      span: (attributes) => {
        const text = inputsOf(attributes);
        return text === undefined ? attributes : { ...attributes, 'openwop.run.inputs': text };
      },
    })),
  },
  'branch-spans-with-inputs': {
    breaks: 'The span of a branch carries the inputs of its source as they are.',
    kills: ['privacy.same-redaction.spans'],
    parts: (conformant) => {
      const { inputs, forked } = knowingInputs(() => ({}));
      return {
        ...forked(conformant),
        middleware: (next) => rememberingInputs(next, inputs),
        span: (attributes) => {
          const given = inputs.get(String(attributes['openwop.run_id']));
          const isMeant = attributes['openwop.replay.mode'] === 'branch' && hasCredentials(given);
          return isMeant ? { ...attributes, 'openwop.run.inputs': JSON.stringify(given) } : attributes;
        },
      };
    },
  },
  'replay-span-events-with-inputs': {
    breaks: 'An event of the span of a replay carries the inputs of its run as they are.',
    kills: ['privacy.same-redaction.spans'],
    parts: spansOfReplays((inputsOf) => ({
      spanWords: (attributes) => {
        const text = inputsOf(attributes);
        return { events: text === undefined ? [] : [{ name: 'replayed', attributes: { inputs: text } }] };
      },
    })),
  },
  'replay-span-status-with-inputs': {
    breaks: 'The status of the span of a replay repeats the inputs of its run as they are.',
    kills: ['privacy.same-redaction.spans'],
    parts: spansOfReplays((inputsOf) => ({
      spanWords: (attributes) => {
        const text = inputsOf(attributes);
        return { events: [], ...(text === undefined ? {} : { message: `replayed with ${text}` }) };
      },
    })),
  },
  'failed-replay-span-status-with-error': {
    breaks: 'The status of the span of a replay that fails repeats its error as it is.',
    kills: ['privacy.same-redaction.spans'],
    parts: () => {
      const errors = new Map<string, string>();
      return {
        written: (draft, { run }) => {
          if (draft.type === 'run.failed' && run.fork !== undefined)
            errors.set(run.runId, JSON.stringify(draft.payload));
          return [draft];
        },
        spanWords: (attributes) => {
          const message = errors.get(String(attributes['openwop.run_id']));
          return { events: [], ...(message === undefined ? {} : { message }) };
        },
      };
    },
  },
  'timeline-of-forks-with-inputs': {
    breaks: 'The page of a fork in the Timeline View prints the inputs of its source as they are.',
    kills: ['privacy.same-redaction.answers'],
    parts: (conformant) => {
      const { inputs, forked } = knowingInputs(() => ({}));
      const { forkEndpoint } = forked(conformant);
      const forks = new Set<string>();
      const middleware = (next: Fetch): Fetch =>
        rememberingInputs(
          noticing(
            async (request) => {
              const response = await next(request);
              const [, runId = ''] = PAGE.exec(new URL(request.url).pathname) ?? [];
              if (!forks.has(runId) || !response.ok) return response;
              const printed = JSON.stringify(inputs.get(runId) ?? {}).replaceAll('<', '&lt;');
              return new Response(`${await response.text()}<pre>${printed}</pre>`, { headers: HTML });
            },
            /:fork$/u,
            ({ runId }) => void forks.add(runId),
          ),
          inputs,
        );
      return { ...(forkEndpoint === undefined ? {} : { forkEndpoint }), middleware };
    },
  },
  'fork-refusals-with-inputs': {
    breaks: 'The refusal of a fork repeats the inputs of its source as they are.',
    kills: ['privacy.same-redaction.answers'],
    parts: () => {
      const inputs = new Map<string, unknown>();
      const parts = forking(async ({ sourceRunId, send }) => {
        const response = await send();
        const given = inputs.get(sourceRunId);
        if (response.status < 400 || !hasCredentials(given)) return response;
        return Response.json({ ...Object(await response.json()), inputs: given }, { status: response.status });
      })();
      return { ...parts, middleware: (next: Fetch): Fetch => rememberingInputs(next, inputs) };
    },
  },
  'fork-answer-with-inputs': {
    breaks: 'The answer to a fork repeats the inputs of its source as they are.',
    kills: ['privacy.same-redaction.answers'],
    parts: (conformant) => {
      const inputs = new Map<string, unknown>();
      const { forkEndpoint } = forkAnswered((answer, { sourceRunId }) => ({
        ...answer,
        inputs: inputs.get(sourceRunId) ?? {},
      }))(conformant);
      const middleware = (next: Fetch): Fetch => rememberingInputs(next, inputs);
      return { ...(forkEndpoint === undefined ? {} : { forkEndpoint }), middleware };
    },
  },
};
