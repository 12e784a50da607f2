import { member } from '../../json.ts';
import type { RecordedAct } from '../../policies/replay.ts';
import type { Defects, Parts } from '../mutant.ts';
import { divergedAs, recalling } from '../shared/replay-parts.ts';

/** A node that waits between two writes: no row of its own looks at how long. */
const WAITING = 'ttl-wait';

/** Replays that are meant say of a wait that it took longer than the record says. */
function waitingLonger(isMeant: (act: RecordedAct) => boolean = () => true): Parts {
  return recalling('core.delay', (recorded, act) =>
    act.nodeId === WAITING && isMeant(act)
      ? { ...recorded, value: { waitedMs: Number(member(recorded.value, 'waitedMs')) + 1 } }
      : recorded,
  );
}

/** The same where no replay reports that it differs there. */
function waitingLongerInSilence(isMeant?: (act: RecordedAct) => boolean): Parts {
  return (conformant) => {
    const silent = divergedAs((report) => (report.nodeId === WAITING ? [] : [report]))(conformant);
    return waitingLonger(isMeant)({ ...conformant, ...silent });
  };
}

/** Defects that only workflows show which public hosts have. */
export const defects: Defects = {
  'replay-loses-an-input': {
    breaks: 'A replay begins without the object that its source was given as a variable.',
    kills: ['sequence.state-equal'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const isInput = draft.type === 'variable.changed' && member(draft.payload, 'name') === 'payload';
        return isInput && writing.run.fork?.mode === 'replay' ? [] : written(draft, writing);
      },
    }),
  },
  'replay-waits-longer': {
    breaks: 'A replay says of a wait that it took longer than the record says, and not that it differs.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    seenIn: 'sequence.sweep',
    parts: waitingLongerInSilence(),
  },
  'replay-waits-longer-and-says-so': {
    breaks: 'A replay says of a wait that it took longer than the record says, and reports that it differs.',
    kills: ['sequence.state-equal.every-fixture'],
    parts: waitingLonger(),
  },
  'replayed-replay-waits-longer': {
    breaks: 'A replay of a replay says of a wait that it took longer than the record says, and not that it differs.',
    kills: ['sequence.replay-of-replay.every-fixture'],
    parts: waitingLongerInSilence(({ ofFork }) => ofFork),
  },
  'entries-expire-anew': {
    breaks: 'A replay, which does not wait, drops the entries of a channel by the time at which it writes them itself.',
    kills: ['sequence.state-equal'],
    parts: recalling('core.channelWrite', () => undefined),
  },
};
