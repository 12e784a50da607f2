import { UsageError } from '../contract/usage-error.ts';
import { readVolatile, type VolatilePlaces } from '../event-log/index.ts';
import { REPORTERS } from '../report/index.ts';
import { readTextFile } from './text-file.ts';

/** Makes a parser of whole numbers in a range, for an option's value. */
export function wholeNumber(option: string, min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/u.test(value) ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
    throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`);
  };
}

/** Reads `i/n`, a part of n, from 1. */
export function partOf(option: string): (value: string) => { readonly index: number; readonly of: number } {
  return (value) => {
    const { index, of } = /^(?<index>\d{1,4})\/(?<of>\d{1,4})$/u.exec(value)?.groups ?? {};
    const part = { index: Number(index), of: Number(of) };
    if (part.index >= 1 && part.index <= part.of) return part;
    throw new UsageError(`${option} takes i/n, such as 1/3, not ${JSON.stringify(value)}`);
  };
}

/**
 * Makes a parser that adds a repeatable or comma-separated option's value to those before it. An empty name, as of a variable that is
 * not set, is a usage error: ignored, it would open a gate.
 */
export function listOf(option: string): (value: string, previous?: readonly string[]) => readonly string[] {
  return (value, previous = []) => {
    const given = value.split(',');
    if (given.includes('')) throw new UsageError(`${option} names nothing: ${JSON.stringify(value)}`);
    return [...previous, ...given];
  };
}

const REPORTER_LIST = new RegExp(`,(?=(?:${[...REPORTERS.keys()].join('|')})(?:[=,]|$))`, 'u');

/** Adds reporters to those before them: a comma stands between two of them only before the name of one, as files may have some in theirs. */
export function reportersOf(value: string, previous: readonly string[] = []): readonly string[] {
  if (value === '' || /^,|,$/u.test(value)) throw new UsageError(`--reporter names nothing: ${JSON.stringify(value)}`);
  return [...previous, ...value.split(REPORTER_LIST)];
}

/** Adds a repeatable option's value, commas and all, to those before it. */
export function repeat(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** Checks a base URL: absolute, http or https, without credentials, query or fragment. */
export function baseUrl(option: string, value: string): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new UsageError(`${option} takes an absolute URL, not ${JSON.stringify(value)}`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new UsageError(`${option} takes http or https`);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `${option} must not carry credentials: name their variable with --api-key-env (in a file of targets apiKeyEnv)`,
    );
  }
  if (url.search !== '' || url.hash !== '') throw new UsageError(`${option} takes no query and no fragment`);
  return url.href.replace(/\/+$/u, '');
}

/** The places that `--volatile` declares; one that cannot be declared volatile is a usage error. */
export function volatilePlaces(pointers: readonly string[] = []): VolatilePlaces {
  const read = readVolatile(pointers);
  if (!read.ok) throw new UsageError(`--volatile ${JSON.stringify(read.pointer)} ${read.message}`);
  return read.places;
}

/** An address to listen on; `hostname` is without the brackets of IPv6. */
export interface ListenAddress {
  readonly hostname: string;
  readonly port: number;
}

/** Reads the `host:port` of `--witness-listen`, an IPv6 address in brackets; port 0 means any free one. */
export function listenAddress(value: string): ListenAddress {
  const match = /^(?:\[(?<six>[\d.:A-Fa-f]+)\]|(?<name>[\w.-]+)):(?<port>\d{1,5})$/u.exec(value);
  const { six, name = six, port } = match?.groups ?? {};
  if (name === undefined || Number(port) > 65_535) {
    throw new UsageError(`--witness-listen takes host:port, an IPv6 address in brackets, not ${JSON.stringify(value)}`);
  }
  return { hostname: name, port: Number(port) };
}

/** What is called so may be shown: a credential in the place of its variable's name may not. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/u;
const NO_NAME = 'the variable of that name, which is not shown as it may be the credential itself,';

/** The value of an environment variable that was asked for by name; a missing one is an error. */
export function fromEnvironment(option: string, name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new UsageError(`${option}: ${VARIABLE.test(name) ? name : NO_NAME} is not set`);
  return credential(option, value);
}

/** Bytes of a credential's file: more than a header may have. */
const MOST_BYTES = 65_536;

/** The credential in a file, without the line end. */
export function fromFile(option: string, path: string): string {
  const text = readTextFile(path, MOST_BYTES, (problem) => new UsageError(`${option} ${path}: ${problem}`));
  return credential(option, text.trim());
}

/** Refuses what cannot stand in an Authorization header. */
export function credential(option: string, value: string): string {
  if (value === '') throw new UsageError(`${option}: the credential is empty`);
  if (!/^[\x21-\x7e]+$/u.test(value)) {
    throw new UsageError(`${option}: the credential has characters that an Authorization header cannot carry`);
  }
  return value;
}
