import { describe, expect, it } from 'vitest';
import { lacksNodeKind, lacksWhatItTakes } from './node-kinds.ts';

describe('a host that lacks a kind of nodes', () => {
  it.each([
    'unsupported_node_type',
    'node_module_not_found',
    'invalid_node_config',
    'UNKNOWN_NODE_TYPE',
    'node-type-not-found',
    'UnknownNodeKind',
  ])('is told by the code %s', (code) => expect(lacksNodeKind(code)).toBe(true));

  it.each(['node_failed', 'workflow_not_found', 'replay_diverged_at_refusal', 'recursion_limit_exceeded', ''])(
    'is not told by the code %j',
    (code) => expect(lacksNodeKind(code)).toBe(false),
  );
});

describe('a host that lacks what a workflow takes', () => {
  it.each(['unsupported_node_type', 'capability_required', 'ProviderNotConfigured', 'not-implemented'])(
    'is told by the code %s',
    (code) => expect(lacksWhatItTakes(code)).toBe(true),
  );

  it.each(['approval_rejected', 'capability_abused', 'provider_error', 'not_implemented_by_design', ''])(
    'is not told by the code %j',
    (code) => expect(lacksWhatItTakes(code)).toBe(false),
  );
});
