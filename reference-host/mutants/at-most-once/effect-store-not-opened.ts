import { isObject, parseJson } from '../../json.ts';
import { withLedger } from '../shared/ledger-parts.ts';
import type { Mutant } from '../mutant.ts';

const withoutEffects = withLedger(({ decide }) => ({
  decide: (found, attempt) => decide({ ...found, effect: found.effect && found.ledger !== 'RECOVERABLE' }, attempt),
}));

export const effectStoreNotOpened: Mutant = {
  id: 'effect-store-not-opened',
  breaks: 'Recovery never looks into the effect store, and tells that it found nothing there.',
  kills: ['once.effect-not-appended'],
  parts: (conformant) => ({
    ...withoutEffects(conformant),
    middleware: (next) => async (request) => {
      const response = await next(request);
      if (!new URL(request.url).pathname.endsWith('/test/invocations')) return response;
      const reading = parseJson(await response.text());
      return Response.json(blind(reading.ok ? reading.value : null), { status: response.status });
    },
  }),
};

/** What was found, without the effects. */
function blind(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(blind);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'effect' ? false : blind(each)]),
  );
}
