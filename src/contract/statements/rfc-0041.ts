import { DESCRIPTION, OPERATORS, PERMISSION, PROCESS, held, left, type Document } from './statement.ts';

const OPEN = 'an open question of the document';

/** What RFC 0041 demands. */
export const rfc0041: Document = {
  name: '0041',
  title: 'RFC 0041, replay under nondeterminism',
  sections: {
    'A Cache key': [
      held(
        'the key is computed by the recipe for every node that calls a model',
        'cache-key.every-llm-node',
        'cache-key.nodes-use-it',
      ),
      held('whether a node uses Layer 2 makes no difference', 'cache-key.every-llm-node'),
      held('the recipe is named in discovery', 'discovery.version-four-complete', 'discovery.recipe-identifier'),
      held('the key is a SHA-256 over the canonical object', 'cache-key.reproducible-offline'),
      held('model, provider, messages, tools, temperature and schema take part', 'cache-key.includes-recipe-fields'),
      left(
        'the object is printed with null placeholders',
        'the same section says that the form of replay.md stands, which leaves absent members out',
      ),
      held(
        'canonical means RFC 8785',
        'cache-key.jcs-numbers',
        'cache-key.jcs-strings',
        'cache-key.jcs-key-order',
        'cache-key.rejects-non-json-values',
      ),
      held(
        'equal requests give equal keys on independent hosts',
        'cache-key.cross-host-parity',
        'cache-key.deterministic',
      ),
      held('responses are cached under this key', 'cache-key.nodes-use-it', 'recovery.layer-two-lookup'),
      held('a cached response is returned on replay', 'refusal.cached-response-wins', 'refusal.cached-refusal'),
    ],
    'B Refusals on replay': [
      held('valid before, refused now: the divergence event is emitted', 'refusal.valid-to-refusal'),
      held('valid before, refused now: the replay fails with the code of its own', 'refusal.valid-to-refusal'),
      held('the event comes before the failure', 'refusal.precedes-failure'),
      held('the refusal never takes the place of the envelope in silence', 'refusal.no-silent-substitution'),
      held(
        'operators learn which call would diverge',
        'refusal.payload',
        'refusal.locates-the-call',
        'refusal.mid-graph',
      ),
      held('refused before, valid now: the same event', 'refusal.refusal-to-valid'),
      held('refused before, valid now: the same failure', 'refusal.refusal-to-valid'),
      held('only a divergence is reported as one', 'refusal.no-false-alarm'),
    ],
    'C Observable sequence': [
      left('the contract is the observable sequence, not each bit of the execution', DESCRIPTION),
      held(
        'the events up to the fork point are equal, clocks apart',
        'sequence.prefix-equal',
        'sequence.parallel-branches',
        'sequence.replay-of-replay',
      ),
      held(
        'variables, channels and status are equal at each index',
        'sequence.state-equal',
        'run.snapshot-agrees',
        'schema.run-snapshot',
      ),
      held('the bytes of calls may differ where the observable state does not', 'sequence.nondeterministic-tool'),
      held('not only the answer of a tool is cached', 'sequence.side-effects-cached'),
      held('return value, effects on state and emitted events are cached', 'sequence.side-effects-cached'),
    ],
    'D Capability': [
      held('the block says whether replay determinism is supported', 'discovery.replay-determinism'),
      held('the block is closed', 'discovery.replay-determinism', 'discovery.shape'),
      held('the recipe is the canonical name or one of a vendor, of the given form', 'discovery.recipe-identifier'),
      held("a vendor's recipe is documented at the discovery document", 'discovery.vendor-recipe-documented'),
      held('refusalDivergenceEmission is a boolean', 'discovery.replay-determinism'),
      held('version 4 comes with support', 'discovery.version-four-complete'),
      held('version 4 comes with a named recipe', 'discovery.version-four-complete'),
      held('version 4 comes with the commitment to report refusals', 'discovery.version-four-complete'),
      held('all of this can be read at discovery', 'discovery.reachable'),
    ],
    'E Security invariant': [
      held(
        'the key is the same to the byte on all hosts that follow the recipe',
        'cache-key.reproducible-offline',
        'cache-key.cross-host-parity',
      ),
      held('or, on one host, in two runs', 'cache-key.deterministic'),
    ],
    Compatibility: [
      held('hosts of versions 1 to 3 go on unchanged', 'refusal.not-below-version-four'),
      held('version 4 applies the recipe to nodes outside of Layer 2, too', 'cache-key.every-llm-node'),
      left('readers below version 4 pass over the new event', 'speaks to readers of logs, not to hosts'),
      held('version 4 keeps the observable sequence', 'sequence.prefix-equal', 'sequence.state-equal'),
    ],
    Conformance: [
      held('the key can be computed again offline', 'cache-key.reproducible-offline'),
      held(
        'request id, trace context and tenant do not enter the key',
        'cache-key.excludes-transport',
        'cache-key.excludes-non-recipe-fields',
      ),
      held('what is advertised has the form of a recipe', 'discovery.recipe-identifier'),
      held('both directions of refusals are met', 'refusal.valid-to-refusal', 'refusal.refusal-to-valid'),
      held('the prefix is equal, clocks and ULID entropy apart', 'sequence.prefix-equal'),
      held('tools that are not deterministic keep their observable result', 'sequence.nondeterministic-tool'),
    ],
    'Alternatives and questions': [
      left('operators can audit where replays would diverge', OPERATORS),
      left('a neutral form of messages is still to be written', OPEN),
      left('tools that depend on the time of day may be asked again', PERMISSION),
      left('whether hosts share caches', OPEN),
      left('what was needed to accept the document', PROCESS),
    ],
  },
};
