import { causes } from '../shared/causes.ts';

const RAISED = ['refusal.valid-to-refusal', 'refusal.refusal-to-valid'];
const PAYLOAD = ['refusal.payload'];

/** The causes that the judges of this suite name. */
export const { diagnoses, wrong } = causes(
  [
    ['other-error-code', 'the replay fails with another code', RAISED],
    ['does-not-fail', 'the replay goes on after the divergence', RAISED],
    [
      'generic-divergence',
      'the other kind of envelope is reported as a generic replay.diverged',
      [...RAISED, 'refusal.distinct-event'],
    ],
    [
      'source-envelope-kept',
      "the source's envelope is kept: the changed model was not called, or its answer is hidden",
      RAISED,
    ],
    ['plain-failure', 'the replay fails without saying that it diverged', [...RAISED, 'refusal.mid-graph']],
    [
      'silent-substitution',
      'one envelope silently takes the place of the other',
      [...RAISED, 'refusal.no-silent-substitution'],
    ],
    [
      'generic-beside',
      'beside replay.divergedAtRefusal, a generic replay.diverged reports the same call',
      ['refusal.distinct-event'],
    ],
    [
      'refusal-otherwise',
      'a replay is served the recorded refusal, and its log shows another one or none: what a call wrote into the log is recorded with its answer',
      ['refusal.cached-refusal'],
    ],
    [
      'ends-otherwise',
      'a replay is served the recorded refusal, and ends otherwise than its source: let it go on from there as its source did',
      ['refusal.cached-refusal'],
    ],
    ['raised-again', 'one divergence is reported more than once', ['refusal.distinct-event']],
    ['wrong-place', 'the event does not lead to the call that diverged', ['refusal.locates-the-call']],
    ['history-lost', 'the failed replay does not show what was written before the call', ['refusal.mid-graph']],
    ['member-missing', 'a required member is missing', PAYLOAD],
    ['wrong-source', 'another run is named as the source', PAYLOAD],
    ['no-sequence-number', 'atSequence is no sequence number', PAYLOAD],
    ['kinds-equal', 'the two kinds of envelope do not differ', PAYLOAD],
    ['kinds-swapped', 'the two kinds of envelope are swapped', PAYLOAD],
    ['unknown-kind', 'a kind of envelope is neither valid nor refusal', PAYLOAD],
  ],
  [
    ['raised-below-four', 'a host below version 4 writes replay.divergedAtRefusal', ['refusal.not-below-version-four']],
    [
      'raised-for-same-kind',
      'replay.divergedAtRefusal is written where both envelopes are of one kind',
      ['refusal.no-false-alarm', 'refusal.cached-response-wins'],
    ],
    [
      'raised-late',
      'replay.divergedAtRefusal does not stand before the failure that it explains',
      ['refusal.precedes-failure'],
    ],
    [
      'refusal-secret-shown',
      "a replay shows a secret of the provider's refusal text: hand on no text of the provider",
      ['refusal.reason-redacted'],
    ],
  ],
);
