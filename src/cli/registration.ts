import { MAY_RUN } from '../../scenarios/index.ts';
import { shippedDefinitions } from '../contract/definitions.ts';
import { mapDefinition, type TypeMap } from '../contract/type-map.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { Registration } from '../runner/registration.ts';
import type { RunFlags } from './options.ts';
import { printMessage } from './printer.ts';
import { readTypeMap } from './type-map-file.ts';

/** What `--register` and `--type-map` ask for; `witnessUrl` is where the host reaches the witness, where there is one. */
export type RequestedRegistration = (witnessUrl: string | undefined) => Registration;

/** Nobody calls it: no scenario of the run has a witness. */
const NO_WITNESS = 'http://witness.invalid';

/**
 * Reads `--register [PUT:]URL` and `--type-map`. A URL at another origin than the host's is a usage error, as the credential
 * would go there. Undefined where nothing is to be registered.
 */
export function readRegistration(
  { register, typeMap }: Pick<RunFlags, 'register' | 'typeMap'>,
  baseUrl: string,
): RequestedRegistration | undefined {
  if (register === undefined) {
    if (typeMap === undefined) return undefined;
    throw new UsageError('--type-map needs --register: where do fixtures go? (fixtures export writes files)');
  }
  const endpoint = readEndpoint(register, baseUrl);
  const map: TypeMap = typeMap === undefined ? {} : readTypeMap(typeMap);
  return (witnessUrl = NO_WITNESS) => ({
    ...endpoint,
    definitions: shippedDefinitions().map((definition) => mapDefinition(definition, map, { witnessUrl })),
    mayRun: MAY_RUN,
    notice: printMessage,
  });
}

const PLACE = '{workflowId}';
/** Stands for the id while the URL is read: URLs escape braces. */
const STAND_IN = 'openwop-workflow-id';

function readEndpoint(value: string, baseUrl: string): Pick<Registration, 'method' | 'origin' | 'path'> {
  const [, method = 'POST', template = ''] = /^(?:([A-Z]+):)?(.*)$/su.exec(value) ?? [];
  if (method !== 'POST' && method !== 'PUT') throw wrong(`takes POST or PUT, not ${method}`);
  const unknown = [...template.matchAll(/\{[^{}]*\}/gu)].map(([place]) => place).find((place) => place !== PLACE);
  if (unknown !== undefined) throw wrong(`knows ${PLACE} alone, not ${unknown}`);
  let url: URL;
  try {
    url = new URL(template.replaceAll(PLACE, STAND_IN));
  } catch {
    throw wrong(`takes an absolute URL, not ${JSON.stringify(template)}`);
  }
  if (url.username !== '' || url.password !== '') throw wrong('must not carry credentials');
  if (url.search !== '' || url.hash !== '') throw wrong('takes no query and no fragment');
  const { origin } = new URL(baseUrl);
  if (url.origin !== origin) {
    throw wrong(`is at ${url.origin}, and the host at ${origin}: the credential goes to no other origin`);
  }
  const path = url.pathname.replaceAll(STAND_IN, PLACE);
  if (method === 'PUT' && !path.includes(PLACE))
    throw wrong(`with PUT needs ${PLACE}: every fixture has a URL of its own`);
  return { method, origin, path };
}

function wrong(problem: string): UsageError {
  return new UsageError(`--register ${problem}`);
}
