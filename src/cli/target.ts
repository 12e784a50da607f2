import type { Target } from '../runner/target.ts';
import { present } from '../contract/present.ts';
import { baseUrl, credential, fromEnvironment, fromFile } from './arguments.ts';
import type { RunFlags } from './options.ts';
import { printError } from './printer.ts';
import { UsageError } from '../contract/usage-error.ts';

/** Reads whom to test from the flags and the environment. Credentials are taken from one place only, `unnamed` where the flags name none. */
export function readTarget(flags: RunFlags, unnamed = process.env['OPENWOP_API_KEY']): Target {
  if (flags.baseUrl === undefined) throw new UsageError('--base-url is missing: which host is to be tested?');
  return distinct({
    baseUrl: baseUrl('--base-url', flags.baseUrl),
    apiKey: readApiKey(flags, unnamed),
    tenantBKey:
      flags.tenantBKeyEnv === undefined ? undefined : fromEnvironment('--tenant-b-key-env', flags.tenantBKeyEnv),
    limitedKey:
      flags.limitedKeyEnv === undefined ? undefined : fromEnvironment('--limited-key-env', flags.limitedKeyEnv),
    blindKey: flags.blindKeyEnv === undefined ? undefined : fromEnvironment('--blind-key-env', flags.blindKeyEnv),
    baseUrlB: flags.baseUrlB === undefined ? undefined : baseUrl('--base-url-b', flags.baseUrlB),
    variables: present({
      apiKey: flags.apiKeyEnv,
      tenantBKey: flags.tenantBKeyEnv,
      limitedKey: flags.limitedKeyEnv,
      blindKey: flags.blindKeyEnv,
      apiKeyB: flags.apiKeyBEnv,
    }),
    apiKeyB: flags.apiKeyBEnv === undefined ? undefined : fromEnvironment('--api-key-b-env', flags.apiKeyBEnv),
  });
}

/** What is compared with the host and the credential under test must not be these themselves. */
function distinct(target: Target): Target {
  const { baseUrl: first, baseUrlB, apiKey, tenantBKey, limitedKey, blindKey } = target;
  if (baseUrlB === first)
    throw new UsageError('--base-url-b is the host under test itself: there is nothing to compare');
  for (const [option, key] of [
    ['--tenant-b-key-env', tenantBKey],
    ['--limited-key-env', limitedKey],
    ['--blind-key-env', blindKey],
  ]) {
    if (key !== undefined && key === apiKey) throw new UsageError(`${option} holds the credential under test itself`);
  }
  for (const [option, key] of [
    ['--limited-key-env', limitedKey],
    ['--blind-key-env', blindKey],
  ]) {
    if (key === undefined || key !== tenantBKey) continue;
    throw new UsageError(`${option} holds the second tenant's credential: it has to be the first tenant's`);
  }
  if (blindKey !== undefined && blindKey === limitedKey) {
    throw new UsageError('--blind-key-env holds the credential of --limited-key-env, which may read runs');
  }
  return target;
}

function readApiKey(flags: RunFlags, unnamed: string | undefined): string | undefined {
  const given = [flags.apiKey, flags.apiKeyEnv, flags.apiKeyFile].filter((value) => value !== undefined);
  if (given.length > 1) throw new UsageError('give one of --api-key, --api-key-env and --api-key-file');
  if (flags.apiKeyEnv !== undefined) return fromEnvironment('--api-key-env', flags.apiKeyEnv);
  if (flags.apiKeyFile !== undefined) return fromFile('--api-key-file', flags.apiKeyFile);
  if (flags.apiKey !== undefined) {
    printError('hint: --api-key shows the credential in the process list; OPENWOP_API_KEY does not\n');
    return credential('--api-key', flags.apiKey);
  }
  return unnamed === undefined || unnamed === '' ? undefined : credential('OPENWOP_API_KEY', unnamed);
}
