import type { Arbitrary } from 'fast-check';
import { clashingNames, type Library, membersText, valueText } from '../shared/generate-text.ts';

/** Arguments that a tool is called with, and why. */
export interface ToolArgs {
  readonly name: string;
  /** The arguments as JSON text; null where the run has no such input. */
  readonly text: string | null;
}

/** Every way in which an object may be written otherwise than in its canonical form. */
const FIXED: readonly ToolArgs[] = [
  { name: 'none', text: null },
  { name: 'an empty object', text: '{}' },
  { name: 'names in another order', text: '{"b":{"z":1,"y":[{"d":1,"c":2}]},"a":2,"B":3,"10":4,"9":5}' },
  { name: 'numbers', text: '{"n":[-0,-0.0,1e21,1E2,4.50,1e-7,0.000001,5e-324,9007199254740991,333333333.33333329]}' },
  { name: 'strings', text: String.raw`{"s":"\u00e9 e\u0301 \ud83d\ude00 \u2028 \/ < \" \\ \n \u001f","":""}` },
  { name: 'names beyond ASCII', text: '{"\u{1f600}":1,"\ufb33":2,"\u00e9":3,"e\u0301":4,"z":5}' },
  { name: 'empty values', text: '{"o":{},"a":[],"n":null,"f":false,"s":""}' },
  { name: 'white space', text: '{ "b" : [ 1 , 2 ] ,\n\t"a" : { } }' },
];

/** Neither U+0000 nor __proto__: hosts may refuse such inputs, for their databases' sake and their own. */
function isWelcome(text: string): boolean {
  return !text.includes(String.raw`\u0000`) && !text.includes('\0') && !text.includes('__proto__');
}

/** Spreads neighbouring seeds apart. */
const SEED_STRIDE = 0x9e3779b1;

/** The fixed arguments, and `count` that are drawn; the same seed gives the same ones. */
export function drawToolArgs(fc: Library, seed: number, count: number): readonly ToolArgs[] {
  const members: Arbitrary<string> = membersText(fc, valueText(fc, 2), clashingNames.length).filter(isWelcome);
  const drawn = fc.sample(members, { seed: Math.imul(seed, SEED_STRIDE) | 0, numRuns: count });
  return [...FIXED, ...drawn.map((text, index) => ({ name: `generated ${index + 1}`, text }))];
}
