import { describe, expect, it } from 'vitest';
import { type Definition, inWaves, nodesOf, shippedDefinitions } from './definitions.ts';
import { mapDefinition, namesWitness, problemOfMap, type TypeMap } from './type-map.ts';

const setting = { witnessUrl: 'http://witness.example' };

function oneNode(node: Partial<Definition['nodes'][number]>): Definition {
  return {
    id: 'flow',
    nodes: [{ id: 'n', typeId: 'our.kind', name: 'N', config: {}, inputs: {}, ...node }],
    edges: [],
  };
}

/** A definition that hands over to another one. */
function naming(id: string, workflowId: string): Definition {
  return { ...oneNode({ config: { workflowId } }), id };
}

/** The settings that a template gives for a node. */
function filled(config: object, node: Partial<Definition['nodes'][number]> = {}): unknown {
  const map = { 'our.kind': { typeId: 'their.kind', config } } as TypeMap;
  return mapDefinition(oneNode(node), map, setting).nodes[0]?.config;
}

describe('a map of node kinds', () => {
  it('gives a node the kind and the settings of the host, and leaves its id, name and edges', () => {
    const given = oneNode({ config: { path: '/a', method: 'POST' } });
    const map = { 'our.kind': { typeId: 'their.kind', config: { url: '{{inputs.witnessUrl}}$(config.path)' } } };
    expect(mapDefinition(given, map, setting)).toEqual({
      ...given,
      nodes: [{ id: 'n', typeId: 'their.kind', name: 'N', config: { url: '{{inputs.witnessUrl}}/a' }, inputs: {} }],
    });
  });

  it('keeps the settings where it has none, and leaves other kinds alone', () => {
    const map = { 'our.kind': { typeId: 'their.kind' } };
    expect(mapDefinition(oneNode({ config: { a: 1 } }), map, setting).nodes[0]?.config).toEqual({ a: 1 });
    expect(mapDefinition(oneNode({ typeId: 'toString' }), map, setting).nodes[0]?.typeId).toBe('toString');
  });

  it('maps the nodes of revisions too', () => {
    const node = { id: 'n', typeId: 'our.kind', name: 'N', config: {}, inputs: {} };
    const given: Definition = {
      ...oneNode({}),
      revisions: [{ version: '2.0.0', nodes: [node] }, { version: '3.0.0' }],
    };
    const { revisions } = mapDefinition(given, { 'our.kind': { typeId: 'their.kind' } }, setting);
    expect(revisions).toEqual([{ version: '2.0.0', nodes: [{ ...node, typeId: 'their.kind' }] }, { version: '3.0.0' }]);
  });

  it.each([
    ['a value of any kind alone', { all: '$(config.args)' }, { all: { n: [1] } }],
    ['nothing where the node has none', { gone: '$(config.none)', list: ['$(inputs.none)', 1] }, { list: [1] }],
    ['JSON within a text', { text: 'args=$(config.args)' }, { text: 'args={"n":[1]}' }],
    ['members of members', { n: '$(config.args.n)' }, { n: [1] }],
    ['inputs', { port: '$(inputs.payload)' }, { port: 'p' }],
    ['names', { at: '$(workflowId)/$(node.id)/$(node.name)' }, { at: 'flow/n/N' }],
    ['the witness', { allow: ['$(witnessUrl)'] }, { allow: ['http://witness.example'] }],
    [
      'what another language has',
      { a: '$$(config.args)', b: '${config.args}' },
      { a: '$(config.args)', b: '${config.args}' },
    ],
    ['no inherited member', { a: '$(config.constructor)' }, {}],
  ])('fills %s', (_, template, expected) => {
    expect(filled(template, { config: { args: { n: [1] } }, inputs: { payload: 'p' } })).toEqual(expected);
  });

  it('renames input ports, and no others', () => {
    const given = oneNode({ inputs: { payload: 1, other: 2 } });
    const map = { 'our.kind': { typeId: 'their.kind', inputs: { payload: 'body' } } };
    expect(mapDefinition(given, map, setting).nodes[0]?.inputs).toEqual({ body: 1, other: 2 });
  });

  it('is wrong where it names no kind that ships, with the nearest', () => {
    expect(problemOfMap({ 'core.tool.htp': { typeId: 'x' } }, shippedDefinitions())).toEqual({
      pointer: '/core.tool.htp',
      message: 'no node kind is called "core.tool.htp"; did you mean core.tool.http?',
    });
  });

  it.each([
    [{ a: { 'b/c': '$(confg.path)' } }, '/our.kind/config/a/b~1c', '$(confg.path) names nothing'],
    [{ a: ['x $(config.path)'] }, '/our.kind/config/a/0', 'the node n of flow has no config.path: a text needs it'],
  ])('is wrong where a template %j names what is not there', (config, pointer, message) => {
    const problem = problemOfMap({ 'our.kind': { typeId: 'their.kind', config } }, [oneNode({})]);
    expect(problem).toEqual({ pointer, message: expect.stringContaining(message) as string });
  });

  it('is asked about the witness only where a template names it', () => {
    expect(namesWitness({ a: { typeId: 'b', config: { url: '$(witnessUrl)/x' } } })).toBe(true);
    expect(namesWitness({ a: { typeId: 'b' } })).toBe(false);
  });
});

describe('the definitions that ship', () => {
  it('come in waves, workers before those that hand over to them, and nothing twice', () => {
    const waves = inWaves(['conformance-determinism-handoff-nested', 'nobody'], shippedDefinitions());
    expect(waves.map((wave) => wave.map(({ id }) => id))).toEqual([
      ['conformance-multi-agent-handoff-child'],
      ['conformance-multi-agent-handoff'],
      ['conformance-determinism-handoff-nested'],
    ]);
  });

  it('may name each other in a circle', () => {
    const waves = inWaves(['a'], [naming('a', 'b'), naming('b', 'a')]);
    expect(
      waves
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['a', 'b']);
  });

  it('have unique ids, and nodes in their revisions', () => {
    const ids = shippedDefinitions().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const constant = shippedDefinitions().find(({ id }) => id === 'conformance-determinism-constant');
    expect(constant && nodesOf(constant).length).toBeGreaterThan(constant?.nodes.length ?? 0);
  });
});
