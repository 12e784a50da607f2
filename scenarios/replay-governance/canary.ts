import { randomBytes, randomInt } from 'node:crypto';

/** A text made for one run, which can be found again in whatever spelling it comes back. */
export interface Canary {
  /** What is planted: looks like a credential, and changes under JSON and percent. */
  readonly text: string;
  /** The part of it that no escape touches by rule; nobody else has it. */
  readonly core: string;
}

const CORE_BYTES = 12;

/** Makes a canary that there was never before. */
export function makeCanary(): Canary {
  const core = randomBytes(CORE_BYTES).toString('hex');
  return { text: `sk-live-${core}/+"é%=`, core };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LETTER_COUNT = 20;

/** Makes a canary that looks like a text: hosts that hide what looks like a credential show it. */
export function makePlainCanary(): Canary {
  const core = Array.from({ length: LETTER_COUNT }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return { text: `the "café" of ${core} / 50%`, core };
}

/** A way to undo a spelling; what it does not know stays as it is. */
interface View {
  readonly name: string;
  /** What a text must hold for the view to differ. */
  readonly mark: string;
  readonly undo: (text: string) => string;
}

/** Each undoes its own spelling at any depth: a backslash or a percent sign may itself be escaped. */
const VIEWS: readonly View[] = [
  {
    name: 'JSON escapes',
    mark: '\\',
    // A run of backslashes is looked at once, from its first one on.
    undo: (text) => text.replace(/(?<!\\)\\+u([\da-f]{4})/giu, (_, unit: string) => character(unit, 16)),
  },
  {
    name: 'percent',
    mark: '%',
    undo: (text) => text.replace(/%(?:25)*([\da-f]{2})/giu, (_, byte: string) => character(byte, 16)),
  },
  {
    name: 'character references',
    mark: '&#',
    undo: (text) =>
      text.replace(/&#(?:x0*([\da-f]{1,4})|0*(\d{1,5}));/giu, (_, hex: string | undefined, decimal = '0') =>
        hex === undefined ? character(String(decimal), 10) : character(hex, 16),
      ),
  },
];

function character(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base));
}

/** The spellings in which a text holds a canary, the plainest ones; none where it does not hold it. */
export function spellingsIn(text: string, { core }: Canary): readonly string[] {
  const plain = named(text, core, '');
  if (plain.length > 0) return plain;
  const views = VIEWS.filter(({ mark }) => text.includes(mark));
  const undone = views.flatMap(({ name, undo }) => named(undo(text), core, name));
  if (undone.length > 0 || views.length === 0) return undone;
  const all = VIEWS.reduce((viewed, { undo }) => undo(viewed), text);
  return named(all, core, 'several escapes');
}

function named(text: string, core: string, view: string): readonly string[] {
  const literal = text.includes(core) ? [view === '' ? 'as it is' : view] : [];
  const suffix = view === '' ? '' : `, ${view}`;
  const base64 = base64Forms(core).some((form) => text.includes(form)) ? [`base64${suffix}`] : [];
  const hex = text.toLowerCase().includes(Buffer.from(core).toString('hex')) ? [`hexadecimal${suffix}`] : [];
  return [...literal, ...base64, ...hex];
}

/**
 * What is the same in every base64 text that holds the core, wherever it begins. Letters and digits give none of the
 * characters in which the two alphabets differ.
 */
function base64Forms(core: string): readonly string[] {
  return [0, 1, 2].map((at) => {
    const padded = Buffer.concat([Buffer.alloc(at), Buffer.from(core)]);
    const [first, end] = [Math.ceil((at * 8) / 6), Math.floor((padded.length * 8) / 6)];
    return padded.toString('base64').slice(first, end);
  });
}
