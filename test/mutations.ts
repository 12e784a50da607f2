/** Numbers from a seed, each from 0 up to its limit, the limit left out. */
export type Random = (limit: number) => number;

/** A small generator of numbers (mulberry32): the same seed gives the same numbers. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

function pick<T>(random: Random, from: readonly [T, ...T[]]): T;
function pick<T>(random: Random, from: readonly T[]): T | undefined;
function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[random(from.length)];
}

type Lines = readonly string[];

/** Evidence with one to four changes that some editor, disk or enemy might have made. */
export function mutated(lines: Lines, random: Random): string {
  let changed = lines;
  for (let left = 1 + random(4); left > 0; left -= 1) changed = pick(random, CHANGES)(changed, random);
  const text = `${changed.join('\n')}\n`;
  return random(12) === 0 ? text.slice(0, random(text.length)) : text;
}

const CHANGES: readonly [Change, ...Change[]] = [
  (lines, random) => lines.toSpliced(random(lines.length), 1 + random(3)),
  (lines, random) => doubled(lines, random),
  (lines, random) => swappedLines(lines, random),
  (lines, random) => lines.toSpliced(random(lines.length), 0, pick(random, STRAY)),
  (lines, random) => oneLine(lines, random, (text) => cut(text, random)),
  ...Array.from({ length: 8 }, (): Change => (lines, random) => editedLine(lines, random)),
];
type Change = (lines: Lines, random: Random) => Lines;

const STRAY: readonly [string, ...string[]] = [
  '',
  '{}',
  'null',
  '[]',
  '"x"',
  '{"kind":"observation"}',
  '\u0000',
  '{"kind":"end","durationMs":1e400}',
];

function doubled(lines: Lines, random: Random): Lines {
  const at = random(lines.length);
  return lines.toSpliced(random(lines.length), 0, lines[at] ?? '');
}

function swappedLines(lines: Lines, random: Random): Lines {
  const [a, b] = [random(lines.length), random(lines.length)];
  return lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '');
}

function oneLine(lines: Lines, random: Random, change: (text: string) => string): Lines {
  const at = random(lines.length);
  return lines.with(at, change(lines[at] ?? ''));
}

function cut(text: string, random: Random): string {
  const at = random(text.length);
  return text.slice(0, at) + text.slice(at + 1 + random(20));
}

/** Changes a value somewhere in one line, mostly in one that a judge reads. */
function editedLine(lines: Lines, random: Random): Lines {
  const judged = lines.flatMap((line, at) => (/^\{"kind":"(?:observation|run)"/u.test(line) ? [at] : []));
  const at = (random(5) === 0 ? undefined : pick(random, judged)) ?? random(lines.length);
  let value: unknown;
  try {
    value = JSON.parse(lines[at] ?? '');
  } catch {
    return lines;
  }
  return lines.with(at, JSON.stringify(edited(value, random, 0)));
}

function edited(value: unknown, random: Random, depth: number): unknown {
  const stay = depth > 1 && random(4) === 0;
  if (Array.isArray(value) && value.length > 0 && !stay) {
    const at = random(value.length);
    switch (random(8)) {
      case 0:
        return value.toSpliced(at, 1);
      case 1:
        return [...value, value[at]];
      case 2:
        return value.toReversed();
      default:
        return value.with(at, edited(value[at], random, depth + 1));
    }
  }
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && !stay) {
    const entries = Object.entries(value);
    const at = random(entries.length);
    const [key, inner] = entries[at] ?? ['', null];
    switch (random(10)) {
      case 0:
        return Object.fromEntries(entries.toSpliced(at, 1));
      case 1:
        return Object.fromEntries(entries.with(at, [pick(random, KEYS), inner]));
      case 2:
        return Object.fromEntries(entries.with(at, [key, pick(random, entries)?.[1]]));
      default:
        return Object.fromEntries(entries.with(at, [key, edited(inner, random, depth + 1)]));
    }
  }
  return replacement(value, random);
}

const KEYS: readonly [string, ...string[]] = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  'then',
  '',
  '0',
  '::error::',
  '\u202e',
];

function replacement(value: unknown, random: Random): unknown {
  if (typeof value === 'number' && random(2) === 0)
    return pick(random, [String(value), -value, value + 1, value * 2 ** 40, 0.5, -0]);
  if (typeof value === 'string' && random(2) === 0)
    return pick(random, [Number(value), value.slice(1), `${value}${value}`, value.toUpperCase(), '']);
  return pick(random, VALUES)(random);
}

const VALUES: readonly [(random: Random) => unknown, ...((random: Random) => unknown)[]] = [
  () => null,
  () => true,
  () => [],
  () => ({}),
  () => '',
  () => 0,
  () => -1,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER,
  () => 4_294_967_296,
  () => '__proto__',
  () => 'constructor',
  () => JSON.parse('{"__proto__":{"length":1e9},"constructor":1,"length":-1}') as unknown,
  (random) => 'x'.repeat(random(200_000)),
  (random) => '\\'.repeat(random(50_000)),
  (random) => Array.from({ length: random(5_000) }, (_, index) => index),
  (random) => Array.from({ length: random(2_000) }, () => ({ type: 'x', sequence: 1 })),
  (random) => nested(random(400)),
  () => '::error::\u001b[2J\u202e\n::add-mask::x',
  () => '##vso[task.complete result=Succeeded]',
  () => '2999-99-99T99:99:99Z',
  () => 'http://[::1]:0/%zz',
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
