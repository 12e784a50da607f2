import type { Mutant } from '../mutant.ts';
import type { RunEvent } from '../../store/event.ts';

function emptied(event: RunEvent): RunEvent {
  return event.type === 'variable.changed' ? { ...event, payload: { ...Object(event.payload), value: null } } : event;
}

export const branchHistoryEmptied: Mutant = {
  id: 'branch-history-emptied',
  breaks: 'The events that a branch inherits have lost their values.',
  kills: ['fork.branch-inherits-prefix', 'fork.branch-applies-overlay.projected-state'],
  parts: ({ replay }) => ({
    replay: {
      ...replay,
      inherited: (history, fork) => (fork.mode === 'branch' ? history.map(emptied) : replay.inherited(history, fork)),
    },
  }),
};
