import { locate, member } from '../../src/contract/discovery.ts';

/** Whether a request under one Idempotency-Key may be sent again (discovery document, `idempotency`). */
export function advertisesIdempotency(document: unknown): boolean {
  const block = locate(document, ['idempotency'])?.value;
  const layer1 = member(block, 'layer1');
  if (layer1 === undefined) return member(block, 'supported') === true;
  return layer1 === true || member(layer1, 'supported') === true;
}
