import { wordsOf } from './cut-names.ts';

/** The last four steps of provable-semantics §3, in their order: each is a durable write. */
const WRITES = ['effect', 'finished', 'committed', 'ledger'] as const;

export type Write = (typeof WRITES)[number];

/** A failpoint's name that tells of one of these writes and cannot well mean anything else. */
const NAMED: Readonly<Record<Write, RegExp>> = {
  effect: /^(?:put|record|store|write)?effect(?:store)?$/u,
  finished: /^(?:append|write)?(?:tool)?(?:invocation)?finished(?:event)?$/u,
  committed: /^(?:append|write)?commandcommitted(?:event)?$/u,
  ledger: /^(?:ledgercommit|commitledger|commit)$/u,
};

/** A tool that has finished need not have left an event. */
const AMBIGUOUS = /^toolfinished$/u;

interface NamedWrite {
  readonly side: 'before' | 'after';
  readonly write: Write;
}

/** The write that a failpoint stands before or after by its name; undefined where the name may mean something else. */
export function writeOfName(name: string): NamedWrite | undefined {
  const { side, rest } = wordsOf(name);
  const write = WRITES.find((each) => NAMED[each].test(rest));
  return side === undefined || write === undefined || AMBIGUOUS.test(rest) ? undefined : { side, write };
}

/** Two failpoints that a run passed in an order that contradicts §3: the write of the first was done before the other's began. */
export interface Contradiction {
  readonly done: string;
  readonly notBegun: string;
}

/** The first contradiction to §3 among failpoints that a run passed once each, in their order. */
export function contradictionIn(passes: readonly string[]): Contradiction | undefined {
  const named = passes
    .filter((name) => passes.indexOf(name) === passes.lastIndexOf(name))
    .flatMap((name) => ({ name, ...writeOfName(name) }));
  for (const [index, first] of named.entries()) {
    if (first.side !== 'after' || first.write === undefined) continue;
    const rank = WRITES.indexOf(first.write);
    const second = named
      .slice(index + 1)
      .find(({ side, write }) => side === 'before' && write !== undefined && WRITES.indexOf(write) < rank);
    if (second !== undefined) return { done: first.name, notBegun: second.name };
  }
  return undefined;
}

/** The first two failpoints, passed once each, that stand the other way round by the writes that they name. */
export function disorderIn(passes: readonly string[]): readonly [earlier: string, later: string] | undefined {
  const named = passes
    .filter((name) => passes.indexOf(name) === passes.lastIndexOf(name))
    .flatMap((name) => {
      const known = writeOfName(name);
      return known === undefined
        ? []
        : [{ name, done: WRITES.indexOf(known.write) - (known.side === 'before' ? 1 : 0) }];
    });
  for (const [index, { name, done }] of named.entries()) {
    const late = named.slice(index + 1).find((each) => each.done < done);
    if (late !== undefined) return [name, late.name];
  }
  return undefined;
}

/** Whether a write was done when a run passed a failpoint: by its own name, or by one that was passed before. */
export function isDoneAt(name: string, write: Write, passes: readonly string[]): boolean {
  return [...passes.slice(0, passes.indexOf(name) + 1), name].some((each) => {
    const known = writeOfName(each);
    return known?.side === 'after' && known.write === write;
  });
}
