import type { Json } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { createLogReader } from '../../src/host/json.ts';
import { createStreamParser } from '../../src/host/log/event-stream.ts';
import { isTerminal } from '../../src/host/log/shown.ts';
import { isNoForm, isSuccess } from '../../src/protocol/status.ts';

/** How a log is asked for: a host that has it in one form alone may refuse whoever names the other one, too. */
const [EITHER, ...ALONE] = [
  'application/json, text/event-stream;q=0.9',
  'application/json',
  'text/event-stream',
] as const;

/**
 * Asks for a log until it is given in one of its forms (wire-contract, Endpoints); the first answer where it is in none. A stream
 * may stay open behind the end of its run, where it is left.
 */
export function askInTurn(host: HostHandle, path: string): Promise<Exchange> {
  return inTurn((accept) => {
    let isOver = false;
    const read = createLogReader();
    const parser = createStreamParser(({ event: name = null, data }) => {
      const value = read(data);
      isOver ||= isTerminal({ id: null, name, data: value.ok ? (value.value as Json) : null });
    });
    return host.stream(
      { method: 'GET', path, headers: { accept } },
      { head: () => 'read', text: (chunk) => (parser.feed(chunk), isOver ? 'done' : 'more') },
    );
  });
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
