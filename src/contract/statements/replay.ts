import { DESCRIPTION, OPERATORS, PERMISSION, PROCESS, held, left, type Document, type Sections } from './statement.ts';
import { replayFork } from './replay-fork.ts';
import { replayGovernance } from './replay-governance.ts';

const recipe: Sections = {
  'Recipe A Domain': [
    held('the key covers a closed set of fields', 'cache-key.excludes-non-recipe-fields'),
    held(
      'metadata, request ids, times and trace headers stay out',
      'cache-key.excludes-non-recipe-fields',
      'cache-key.excludes-transport',
    ),
    held('provider, model and messages are needed', 'cache-key.rejects-malformed', 'cache-key.includes-recipe-fields'),
    left('the provider is written in lower case', 'a host may normalise or refuse upper case: both pass'),
    held('the model is taken as it is', 'cache-key.model-verbatim'),
    held('roles, content, names and call ids of messages take part', 'cache-key.includes-recipe-fields'),
    held('tools take part with name, description and parameters', 'cache-key.includes-recipe-fields'),
    held('temperature, topP, topK and responseFormat take part', 'cache-key.includes-recipe-fields'),
    held('max_tokens, stop, stream, metadata, user and seed do not', 'cache-key.excludes-non-recipe-fields'),
    held('tenant and run do not', 'cache-key.excludes-transport', 'cache-key.excludes-non-recipe-fields'),
  ],
  'Recipe B Computation': [
    held('what is absent is left out, not null or a default', 'cache-key.omits-absent'),
    held('tools are sorted by name', 'cache-key.sorts-tools'),
    held('keys inside of tools are sorted at any depth', 'cache-key.canonical-tool-schema'),
    held('messages keep their order', 'cache-key.preserves-message-order'),
    held('content keeps its shape', 'cache-key.preserves-content-shape'),
    held(
      'bytes are made by RFC 8785',
      'cache-key.jcs-numbers',
      'cache-key.jcs-strings',
      'cache-key.jcs-key-order',
      'cache-key.rejects-non-json-values',
    ),
    left(
      'hosts without it sort, compact and normalise',
      'hosts of version 4 have to use RFC 8785: no second form is left to them',
    ),
    held('they are hashed with SHA-256', 'cache-key.reproducible-offline'),
    held('the key is 64 characters of lower case hex', 'cache-key.lowercase-hex'),
  ],
  'Recipe C Layering': [
    held('the Layer-2 id is the hash of run, node, attempt and provider key', 'recovery.layer-two-id'),
    held(
      'the key is computed besides, and finds responses in that store',
      'recovery.layer-two-lookup',
      'cache-key.nodes-use-it',
    ),
    held('a hit by id returns the response', 'recovery.layer-two-lookup'),
    left('runs may share responses by key where a host opts in', PERMISSION),
    held('the key does not part tenants', 'cache-key.not-a-security-boundary'),
    held('the store does', 'cache-key.not-a-security-boundary'),
  ],
  'Recipe D Determinism': [
    held('two hosts compute one key for one request', 'cache-key.cross-host-parity'),
    held('other keys show as divergence where responses differ', 'replay.divergence-is-reported'),
    left('a scenario of the public suite covers this', PROCESS),
  ],
  'Recipe E Migration': [
    held('hosts with another key change to the recipe, or keep both for a time', 'cache-key.nodes-use-it'),
    left('both keys are kept for at least 90 days', 'a time of months cannot be seen in a run'),
    left('lookups check both in that time', 'internal to the host, as the section itself says'),
  ],
};

const phaseFour: Sections = {
  'Phase 4': [
    left('what follows applies to version 4 with replay determinism supported', 'the gate of its rows, not a demand'),
  ],
  'Phase 4 A Recipe': [
    held('every node that calls a model follows the recipe', 'cache-key.every-llm-node', 'cache-key.nodes-use-it'),
    held('Layer 2 or not', 'cache-key.every-llm-node'),
    held('the recipe is advertised', 'discovery.version-four-complete'),
    held('the canonical name claims the canonical recipe', 'cache-key.reproducible-offline'),
    held('vendors use their namespace', 'discovery.recipe-identifier'),
  ],
  'Phase 4 B Refusals': [
    held('nothing is substituted in silence', 'refusal.no-silent-substitution'),
    held('both directions can be observed', 'refusal.valid-to-refusal', 'refusal.refusal-to-valid'),
    held('the event names the node and both natures', 'refusal.payload', 'refusal.locates-the-call'),
    held('the replay fails with the code of its own', 'refusal.valid-to-refusal', 'refusal.refusal-to-valid'),
    held('the event is not turned into replay.diverged', 'refusal.distinct-event'),
    left('it may be a sibling of that event', PERMISSION),
    left('operators take it as a shift of policy', OPERATORS),
  ],
  'Phase 4 C Observable sequence': [
    left('the sequence is the contract, not each bit', DESCRIPTION),
    held('events up to fromSeq are equal, clocks and ULID entropy apart', 'sequence.prefix-equal'),
    held('variables, channels and status are equal at each index', 'sequence.state-equal', 'run.snapshot-agrees'),
    held('calls may differ where the state does not', 'sequence.nondeterministic-tool'),
    held('caching does not end at the answer of a tool', 'sequence.side-effects-cached'),
    held('values, effects on state and events are cached', 'sequence.side-effects-cached'),
    held('LLM nodes are cached under the recipe', 'cache-key.nodes-use-it'),
    held('other tools under a key made of content, without counters or clocks', 'sequence.content-addressed-tools'),
  ],
  'Phase 4 Conformance gating': [
    held('hosts of earlier versions are not held to it', 'refusal.not-below-version-four'),
  ],
};

/** What replay.md demands. */
export const replay: Document = {
  name: 'replay',
  title: 'Replay and fork',
  sections: { ...replayFork, ...recipe, ...phaseFour, ...replayGovernance },
};
