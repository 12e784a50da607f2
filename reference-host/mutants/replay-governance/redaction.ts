import { member } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import type { Defects } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';
import { showing, showingInReplays } from '../shared/governance-parts.ts';
import { rememberingInputs } from '../shared/run-memory.ts';

/** Secrets that a fork shows. */
export const defects: Defects = {
  'replays-unredacted': {
    breaks: 'Secrets are redacted of originals only, not of replays.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.diff',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.errors',
    ],
    parts: showingInReplays(),
  },
  'branches-unredacted': {
    breaks: 'Secrets are not redacted of branches.',
    kills: ['privacy.same-redaction.branch'],
    parts: showing(({ run }) => run.fork?.mode === 'branch'),
  },
  'replays-unredacted-in-streams': {
    breaks: 'Event streams of replays show secrets.',
    kills: [
      'privacy.same-redaction.streams',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.errors',
    ],
    parts: showingInReplays(({ surface }) => surface === 'sse'),
  },
  'replays-unredacted-in-debug-mode': {
    breaks: 'The debug stream of a replay shows secrets.',
    kills: [
      'privacy.same-redaction.streams',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.errors',
    ],
    parts: showingInReplays(({ surface, streamMode }) => surface === 'sse' && streamMode === 'debug'),
  },
  'replays-unredacted-in-poll': {
    breaks: 'The poll of a replay shows secrets.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.errors',
    ],
    parts: showingInReplays(({ surface }) => surface === 'poll'),
  },
  'replays-unredacted-in-log': {
    breaks: 'The JSON log of a replay shows secrets.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.errors',
    ],
    parts: showingInReplays(({ surface }) => surface === 'json'),
  },
  'replays-unredacted-in-snapshot': {
    breaks: 'The snapshot of a replay shows secrets.',
    kills: [
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.errors',
    ],
    parts: showingInReplays(({ surface }) => surface === 'snapshot'),
  },
  'replays-unredacted-in-diff': {
    breaks: 'Comparisons with a replay show secrets.',
    kills: ['privacy.same-redaction.diff', 'privacy.same-redaction.replay-of-replay', 'privacy.same-redaction.errors'],
    parts: showingInReplays(({ surface }) => surface === 'diff'),
  },
  'replays-unredacted-in-errors': {
    breaks: 'The error of a failed replay shows secrets.',
    kills: ['privacy.same-redaction.errors'],
    parts: showingInReplays(({ surface }) => surface === 'error'),
  },
  'replays-unredacted-escaped': {
    breaks: 'Secrets in JSON inside texts are not found in replays.',
    kills: [
      'privacy.same-redaction.errors',
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.diff',
      'privacy.same-redaction.replay-of-replay',
    ],
    parts: showingInReplays(({ spelling }) => spelling === 'json'),
  },
  'replays-unredacted-base64': {
    breaks: 'Secrets in base64 are not found in replays.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.diff',
    ],
    parts: showingInReplays(({ spelling }) => spelling === 'base64'),
  },
  'replays-unredacted-percent': {
    breaks: 'Percent-encoded secrets are not found in replays.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.diff',
    ],
    parts: showingInReplays(({ spelling }) => spelling === 'percent'),
  },
  'replays-unredacted-tool-secrets': {
    breaks: 'Secrets that a tool answered are not redacted in replays.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.diff',
      'privacy.same-redaction.errors',
    ],
    parts: showingInReplays(({ origin }) => origin === 'tool'),
  },
  'replays-unredacted-model-secrets': {
    breaks: 'Secrets that a model told are not redacted in replays.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.diff',
    ],
    parts: showingInReplays(({ origin }) => origin === 'model'),
  },
  'replays-unredacted-resume-secrets': {
    breaks: 'Secrets in the answer to a question are not redacted in replays.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.diff',
    ],
    parts: showingInReplays(({ origin }) => origin === 'resume'),
  },
  'replays-unredacted-input-secrets': {
    breaks: 'Secrets among the run inputs are not redacted in replays.',
    kills: [
      'privacy.same-redaction.events',
      'privacy.same-redaction.streams',
      'privacy.same-redaction.replay-of-replay',
      'privacy.same-redaction.snapshot',
      'privacy.same-redaction.diff',
    ],
    parts: showingInReplays(({ origin }) => origin === 'options'),
  },
  'replays-of-replays-unredacted': {
    breaks: 'Secrets are redacted of replays, and not of replays of replays.',
    kills: ['privacy.same-redaction.replay-of-replay'],
    parts: showingInReplays(({ ofFork }) => ofFork),
  },
  'replay-spans-with-inputs': {
    breaks: 'The span of a replay carries the inputs of its run as they are.',
    kills: ['privacy.same-redaction.spans'],
    parts: () => {
      const inputs = new Map<string, unknown>();
      return {
        written: (draft, { run }) => {
          if (draft.type === 'run.started' && run.fork !== undefined)
            inputs.set(run.runId, member(draft.payload, 'inputs'));
          return [draft];
        },
        span: (attributes) => {
          const of = inputs.get(String(attributes['openwop.run_id']));
          return of === undefined ? attributes : { ...attributes, 'openwop.run.inputs': JSON.stringify(of) };
        },
      };
    },
  },
  'fork-answer-with-inputs': {
    breaks: 'The answer to a fork repeats the inputs of its source as they are.',
    kills: ['privacy.same-redaction.answers', 'privacy.same-redaction.branch'],
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
