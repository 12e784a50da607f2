import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';

/** Words for somebody who decides, and for what has to be. */
const SOMEBODY = String.raw`\b(?:human|person|operator|reviewer|manual(?:ly)?)`;
const NEEDED = '(?:requires?|required|needs?|needed|necessary|must|await(?:s|ing)?|wait(?:s|ing)? for|pending)';

/**
 * Words that say that a run needs a person: who is needed and that they are, or the mode's own name. That a confirmation
 * replay failed, or that nothing was confirmed, says nothing of a person.
 */
const NEEDS_PERSON = new RegExp(
  [
    String.raw`${SOMEBODY} (?:\w+ ){0,5}${NEEDED}\b`,
    String.raw`\b${NEEDED} (?:\w+ ){0,5}${SOMEBODY}\b`,
    String.raw`\b(?:human|manual) (?:review|confirmation|approval|decision|intervention)\b`,
    'human in (?:the )?loop',
    '(?:approval|confirmation) (?:is )?(?:required|needed)',
  ].join('|'),
  'u',
);

/** Whether the error of a failed run says that a person has to confirm, by its code, its name or its message. */
export function needsPerson(events: readonly RunEvent[], snapshot: Json): boolean {
  const ends = events.filter(({ type }) => type === 'run.failed' || type === 'node.failed');
  const errors = [member(snapshot, 'error'), ...ends.flatMap(({ payload }) => [payload, member(payload, 'error')])];
  const said = errors.flatMap((error) => [error, ...SAYING.map((name) => member(error, name))]);
  return said.some((each) => typeof each === 'string' && NEEDS_PERSON.test(inWords(each)));
}

/** The members of an error that say what it is. */
const SAYING = ['code', 'name', 'type', 'message', 'reason'] as const;

/** A code or a text as its words in lower case, with single spaces between them. */
function inWords(text: string): string {
  return text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .replaceAll(/[^A-Za-z\d]+/gu, ' ')
    .toLowerCase();
}
