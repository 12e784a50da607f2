import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { isNoForm, isSuccess } from '../../src/protocol/status.ts';

/** How a log is asked for: a host that has it in one form alone may refuse whoever names the other one, too. */
const [EITHER, ...ALONE] = [
  'application/json, text/event-stream;q=0.9',
  'application/json',
  'text/event-stream',
] as const;

/** Asks for a log until it is given in one of its forms (wire-contract, Endpoints); the first answer where it is in none. */
export function askInTurn(host: HostHandle, path: string): Promise<Exchange> {
  return inTurn((accept) => host.exchange({ method: 'GET', path, headers: { accept } }));
}

/** The same for a way to ask of one's own, and with what is accepted at first. */
export async function inTurn(ask: (accept: string) => Promise<Exchange>, either: string = EITHER): Promise<Exchange> {
  const first = await ask(either);
  if (first.kind === 'failure' || !isNoForm(first.status)) return first;
  for (const form of ALONE) {
    const next = await ask(form);
    if (next.kind === 'response' && isSuccess(next.status)) return next;
  }
  return first;
}
