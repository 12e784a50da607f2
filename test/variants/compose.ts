import { defaultParts, type HostParts } from '../../reference-host/index.ts';
import { VARIANTS } from './index.ts';
import type { Variant } from './variant.ts';

/** One host with the differences of all members: each is given what those nearer to the host made, and wraps it. */
export function compose(members: readonly Variant[]): Variant {
  const nearestFirst = members.toSorted((a, b) => VARIANTS.indexOf(a) - VARIANTS.indexOf(b));
  return {
    id: nearestFirst.map(({ id }) => id).join(' + '),
    notApplicable: nearestFirst.flatMap(({ notApplicable = [] }) => notApplicable),
    parts: (conformant) => nearestFirst.reduce(withMember, conformant),
  };
}

function withMember(given: HostParts, member: Variant): HostParts {
  const { middleware = defaultParts.middleware, ...own } = member.parts(given);
  return { ...given, ...own, middleware: (next) => middleware(given.middleware(next)) };
}

/**
 * The fewest members that are still red together, found by leaving out halves, quarters and so on (delta debugging): one
 * where it is red by itself. `isRed` is asked about members in their order; all of them together are taken to be red.
 */
export async function bisect<Member>(
  members: readonly Member[],
  isRed: (members: readonly Member[]) => Promise<boolean>,
): Promise<readonly Member[]> {
  for (let pieces = 2; members.length > 1; pieces = Math.min(members.length, pieces * 2)) {
    const smaller = await firstRed(parted(members, pieces), isRed);
    if (smaller !== undefined) return bisect(smaller, isRed);
    if (pieces === members.length) return members;
  }
  return members;
}

/** Each piece of the members by itself, then all but that piece. */
function parted<Member>(members: readonly Member[], pieces: number): readonly (readonly Member[])[] {
  const pieceOf = (index: number): number => Math.floor((index * pieces) / members.length);
  const numbers = Array.from({ length: pieces }, (_, piece) => piece);
  const single = numbers.map((piece) => members.filter((_, index) => pieceOf(index) === piece));
  const others = numbers.map((piece) => members.filter((_, index) => pieceOf(index) !== piece));
  return pieces === 2 ? single : [...single, ...others];
}

async function firstRed<Member>(
  candidates: readonly (readonly Member[])[],
  isRed: (members: readonly Member[]) => Promise<boolean>,
): Promise<readonly Member[] | undefined> {
  for (const members of candidates) {
    if (await isRed(members)) return members;
  }
  return undefined;
}
