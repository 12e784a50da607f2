const TAIL = 8;
const DIGITS = '0123456789';
const ALPHABETS = [DIGITS, 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHJKMNPQRSTVWXYZ'] as const;

/**
 * An id of the same shape as a real one, whose last letters and digits are other ones of their kind, so that a host must
 * look it up. A short one, such as the number of a host that counts its runs, is repeated until it is longer than those that
 * are there. `turn` from 1 to 4 gives different ids.
 */
export function unknownLike(runId: string, turn: number): string {
  const other = withOtherTail(runId, turn);
  const known = lengthOf(other);
  return known === 0 ? other + DIGITS.charAt(turn).repeat(TAIL) : other.repeat(Math.ceil(TAIL / known));
}

/** How many of an id's characters are letters or digits. */
function lengthOf(id: string): number {
  return id.split('').filter((each) => ALPHABETS.some((alphabet) => alphabet.includes(each))).length;
}

function withOtherTail(runId: string, turn: number): string {
  const characters = runId.split('');
  let left = TAIL;
  for (let index = characters.length - 1; index >= 0 && left > 0; index -= 1) {
    const character = characters[index] ?? '';
    const alphabet = ALPHABETS.find((each) => each.includes(character));
    if (character === '' || alphabet === undefined) continue;
    characters[index] = alphabet.charAt((alphabet.indexOf(character) + turn) % alphabet.length);
    left -= 1;
  }
  return characters.join('');
}
