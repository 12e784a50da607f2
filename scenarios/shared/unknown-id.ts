const TAIL = 8;
const ALPHABETS = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHJKMNPQRSTVWXYZ'] as const;

/**
 * An id of the same shape as a real one, whose last letters and digits are other ones of their kind, so that a host must
 * look it up. `turn` from 1 to 4 gives different ids.
 */
export function unknownLike(runId: string, turn: number): string {
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
