import type { Fault } from '../../src/contract/validate.ts';
import { cut } from '../../src/evidence/cut.ts';

/** A document that a host sent and that does not fit its shape. */
export interface Misshapen {
  /** What it is and where it stands, such as `sequence 3 of run_1`. */
  readonly what: string;
  readonly fault: Fault;
}

/** What is wrong in words: the first three places, and how many there are. A host may choose the names in them. */
export function misshapenText(first: readonly Misshapen[], count: number): string {
  const places = first.slice(0, PLACES).map(({ what, fault }) => `${short(faultText(fault))} in ${short(what)}`);
  return count > places.length ? `${places.join('; ')}; ${count} in all` : places.join('; ');
}

/** The places of what is wrong, each once, `*` for any index: a few, and cut, where a host chooses names without end. */
export function placesIn(faults: readonly Fault[], known: readonly string[] = []): readonly string[] {
  const places = faults.map(({ pointer }) => cut(pointer, 200).replaceAll(/(?<=\/)\d+(?=\/|$)/gu, '*'));
  return [...new Set([...known, ...places])].slice(0, POINTERS);
}

const PLACES = 3;
const POINTERS = 20;

function faultText({ pointer, wrong }: Fault): string {
  return pointer === '' ? `it ${wrong}` : `${pointer} ${wrong}`;
}

function short(text: string): string {
  return text.length > 120 ? `${cut(text, 120)}…` : text;
}
