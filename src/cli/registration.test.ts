import { describe, expect, it } from 'vitest';
import { MAY_RUN, SUITES } from '../../scenarios/index.ts';
import { shippedDefinitions } from '../contract/definitions.ts';
import { runMain } from '../../test/run-main.ts';
import { readRegistration } from './registration.ts';

const HOST = 'https://host.example/openwop';

function read(register: string) {
  const { method, origin, path } = readRegistration({ register }, HOST)?.('http://w') ?? {};
  return { method, origin, path };
}

describe('--register', () => {
  it.each([
    ['https://host.example/v1/host/acme/workflows', 'POST', '/v1/host/acme/workflows'],
    ['POST:https://HOST.example:443/flows/', 'POST', '/flows/'],
    ['PUT:https://host.example/flows/{workflowId}/x', 'PUT', '/flows/{workflowId}/x'],
  ])('reads %s', (value, method, path) => {
    expect(read(value)).toEqual({ method, path, origin: 'https://host.example' });
  });

  it.each([
    [
      'https://other.example/flows',
      'is at https://other.example, and the host at https://host.example: the credential',
    ],
    ['http://host.example/flows', 'is at http://host.example, and'],
    ['https://host.example:8443/flows', 'goes to no other origin'],
    ['https://host.example@other.example/flows', 'must not carry credentials'],
    [String.raw`https://other.example\@host.example/flows`, 'is at https://other.example'],
    ['https://{workflowId}.example/flows', 'goes to no other origin'],
    ['https://host.example/flows?key=1', 'takes no query'],
    ['https://host.example/{id}/flows', 'knows {workflowId} alone, not {id}'],
    ['PATCH:https://host.example/flows', 'takes POST or PUT, not PATCH'],
    ['PUT:https://host.example/flows', 'with PUT needs {workflowId}'],
    ['/flows', 'takes an absolute URL'],
    ['', 'takes an absolute URL'],
  ])('refuses %s', (value, message) => {
    expect(() => read(value)).toThrow(message);
  });

  it('is nothing where it was not given, and --type-map alone is wrong usage', () => {
    expect(readRegistration({}, HOST)).toBeUndefined();
    expect(() => readRegistration({ typeMap: 'm' }, HOST)).toThrow('--type-map needs --register');
  });

  it('ends the command with 2 before anything is sent', async () => {
    const args = ['--base-url', 'http://127.0.0.1:9', '--register', 'http://127.0.0.1:8/flows'];
    const { exitCode, stderr } = await runMain(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--register is at http://127.0.0.1:8');
  });
});

describe('the workflows that scenarios may run', () => {
  it('ship, and the scenarios exist', () => {
    const shipped = new Set(shippedDefinitions().map(({ id }) => id));
    expect([...MAY_RUN.values()].flat().filter((id) => !shipped.has(id))).toEqual([]);
    const scenarios = new Set(SUITES.flatMap((suite) => suite.scenarios).map(({ id }) => id));
    expect([...MAY_RUN.keys()].filter((id) => !scenarios.has(id))).toEqual([]);
  });
});
