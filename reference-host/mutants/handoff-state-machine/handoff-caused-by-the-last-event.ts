import type { EventDraft } from '../../store/event.ts';
import { writingSteps } from '../shared/handoff-parts.ts';
import type { Mutant } from '../mutant.ts';

export const handoffCausedByTheLastEvent: Mutant = {
  id: 'handoff-caused-by-the-last-event',
  breaks: "A transition's causationId is the last event of the log, whatever that is.",
  kills: ['handoff.causation-chain'],
  parts: writingSteps(({ drafts }) => drafts.map(withoutCause)),
};

function withoutCause(draft: EventDraft): EventDraft {
  const { causedBy: _, ...rest } = draft;
  return rest;
}
