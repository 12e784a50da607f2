import type { Failpoint } from '../../reference-host/index.ts';
import { UsageError } from '../contract/usage-error.ts';

/**
 * The failpoint that the environment arms from the start on, `FAILPOINT=name@hit`; undefined where it arms none. Throws
 * UsageError for anything else than one of the `known` names and a whole number from 1 up.
 */
export function armedFailpoint(
  { FAILPOINT: text = '' }: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): Failpoint | undefined {
  if (text === '') return undefined;
  const { name = '', hit = '' } = /^(?<name>[^@]+)@(?<hit>[1-9]\d{0,14})$/u.exec(text)?.groups ?? {};
  if (name === '') throw new UsageError(`FAILPOINT takes name@hit, hit from 1 up, not ${JSON.stringify(text)}`);
  if (!known.includes(name)) {
    throw new UsageError(`FAILPOINT: no failpoint is called ${JSON.stringify(name)}: ${known.join(', ')}`);
  }
  return { name, hit: Number(hit) };
}

/** OpenTelemetry's variables in their order; the general one is an address below which the signals have their own. */
const VARIABLES = [
  { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', path: '' },
  { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', path: '/v1/traces' },
] as const;

/** Where the spans go by the flag, or else by the environment; undefined where neither says. Throws UsageError. */
export function spanCollector(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (flag !== undefined) return address('--otlp-endpoint', flag);
  const found = VARIABLES.find(({ name }) => (env[name] ?? '') !== '');
  if (found === undefined) return undefined;
  const value = address(found.name, env[found.name] ?? '');
  return found.path === '' ? value : value.replace(/\/+$/, '') + found.path;
}

function address(source: string, value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new UsageError(`${source} must be an http or https address`);
}
