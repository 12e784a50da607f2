#!/usr/bin/env python3
"""A small OpenWOP host of somebody else, written from the wire contract alone: Python 3 and its standard library.

It prints its address when it listens, on a port that was free, and ends when its standard input closes.
Where the wire contract allows several forms it takes others than the reference host: sequences from 1, `seq` beside
`sequence`, `node.suspended` without `interrupt.requested`, `channel.written` with `name`, `variable.changed` with `next`,
`waiting-approval`, `endedAt`, polls with `isTerminal`, absolute URLs, null `nodeId`, error texts of its own.

  foreign_host.py DEFINITIONS.json [--defects a,b]
"""
import argparse
import hashlib
import json
import math
import os
import re
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from foreign_key import cache_key
from foreign_runs import Run, defects, definitions, renamed, runs, start

DEFECTS = {
    'keys-for-anything': 'what is no request to a model has a cache key, too (rfc-0041, malformed requests)',
    'forks-anything': 'a fork from a sequence that does not exist starts at the beginning (replay.md, refusals)',
    'forks-nobody': 'a fork of a run that does not exist is answered as if it were made (replay.md, refusals)',
    'snapshot-hides-failure': 'the snapshot of a failed run says that it completed (wire contract, snapshot)',
    'silent-divergence': 'a delay is measured anew on replay, and nothing says so (replay.md, divergence)',
    'panel-of-the-next-event': 'the deep link of an event shows the fork from the one behind it (replay.md, Run Timeline View)',
    'nested-errors': 'errors stand in an object of their own (wire contract, error envelope)',
}
KINDS = {'core.noop', 'core.identity', 'core.delay', 'core.approvalGate', 'core.clarificationGate', 'core.interrupt',
         'core.fail', 'core.subWorkflow', 'core.orchestrator.supervisor', 'core.dispatch', 'core.channelWrite'}
# Kinds that it has, with settings that it has not: quorums, confidence, plans from elsewhere, reducers by message.
UNSUPPORTED = {'conformance-interrupt-quorum', 'conformance-message-reducer', 'conformance-dispatch-loop',
               'conformance-orchestrator-low-confidence', 'conformance-multi-agent-confidence-escalation'}
MODES = ['values', 'updates', 'messages', 'debug']

seeded = []
stored_answers = {}
creating = threading.RLock()


def discovery():
    """GET /.well-known/openwop (wire contract, documents)."""
    determinism = {'supported': True, 'llmCacheKeyRecipe': 'spec-rfc-0041', 'refusalDivergenceEmission': True}
    return {'protocolVersion': '1.0', 'supportedEnvelopes': ['structured'], 'schemaVersions': {'run-event': 1},
            'limits': {'clarificationRounds': 3, 'schemaRounds': 2, 'envelopesPerTurn': 8},
            'documentation': 'https://foreign.example/retention', 'fixtures': seeded,
            'multiAgent': {'executionModel': {'supported': True, 'version': 4, 'replayDeterminism': determinism}},
            'replay': {'supported': True, 'modes': ['replay', 'branch'], 'retention': {'windowSeconds': 86400}},
            'extensions': {'x-openwop-run-timeline': {'supported': True, 'fork': '/panel/{runId}/{mode}/{fromSeq}',
                                                      'runs': '/panel/runs'}}}


def fork_point(given):
    """Whether this is a sequence number: a whole number, 0 or more."""
    number = isinstance(given, (int, float)) and not isinstance(given, bool) and math.isfinite(given)
    return number and given >= 0 and given == int(given)


class Refused(Exception):
    """An answer that refuses, with its status, code and details (wire contract, error envelope)."""

    def __init__(self, status, code, details=None):
        super().__init__(code)
        self.status, self.code, self.details = status, code, details


def difference(run, other):
    """GET :diff: event by event, what differs between two runs but for ids of their own."""
    def meaning(event, owner):
        return event and (event['type'], event['nodeId'], renamed(event['payload'], owner.id, ''))
    first, second, found = run.recorded(), other.recorded(), []
    for index in range(max(len(first), len(second))):
        a, b = (log[index] if index < len(log) else None for log in (first, second))
        if meaning(a, run) != meaning(b, other):
            sides = {name: event for name, event in (('aEvent', a), ('bEvent', b)) if event}
            operation = 'changed' if a and b else 'removed' if a else 'added'
            found.append({'seq': (a or b)['sequence'], 'op': operation, **sides})
    names = {name for name in (*run.variables, *other.variables) if run.variables.get(name) != other.variables.get(name)}
    return {'a': run.id, 'b': other.id, 'divergedAtSeq': found[0]['seq'] if found else None, 'eventDiffs': found,
            'stateDiff': {'changedVariables': sorted(names)}}


class Handler(BaseHTTPRequestHandler):
    """The endpoints of the wire contract."""

    protocol_version = 'HTTP/1.1'

    def log_message(self, *_):
        pass

    def answer(self, status, body, headers=None):
        self.send(status, 'application/json', json.dumps(body, ensure_ascii=False), headers)

    def send(self, status, kind, text, headers=None):
        content = text.encode('utf-8', 'surrogatepass')
        self.send_response(status)
        for name, value in {'content-type': kind, 'content-length': len(content), **(headers or {})}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)

    def handled(self, work):
        try:
            if self.headers.get('authorization') != 'Bearer foreign-key' and self.path != '/.well-known/openwop':
                raise Refused(401, 'unauthenticated')
            work()
        except Refused as refused:
            body = {'error': refused.code, 'message': 'This host says no.'}
            if refused.details:
                body['details'] = refused.details
            nested = {'error': {'code': refused.code, 'message': 'This host says no.'}}
            self.answer(refused.status, nested if 'nested-errors' in defects else body)
        except OSError:
            self.close_connection = True

    def do_GET(self):
        self.handled(self.get)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get('content-length') or 0))
        self.handled(lambda: self.post(raw))

    def get(self):
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == '/.well-known/openwop':
            return self.answer(200, discovery())
        if parts.path.startswith('/panel/'):
            return self.panel(unquote(parts.path).split('/')[2:], query)
        named = re.fullmatch(r'/v1/workflows/([^/]+)', parts.path)
        if named and named[1] in seeded:
            return self.answer(200, definitions[named[1]])
        found = re.fullmatch(r'/v1/runs/([^/:]+)(|/events/poll|/events|:diff)', parts.path)
        run = runs.get(unquote(found[1])) if found else None
        if not run:
            raise Refused(404, 'not_found')
        if found[2] == '':
            return self.answer(200, run.snapshot())
        if found[2] == ':diff':
            if 'against' not in query:
                raise Refused(400, 'validation_error')
            if query['against'] not in runs:
                raise Refused(404, 'run_not_found')
            return self.answer(200, difference(run, runs[query['against']]))
        if found[2] == '/events/poll':
            return self.poll(run, query.get('lastSequence', query.get('since', '0')))
        modes = query.get('streamMode', 'updates').split(',')
        if any(mode not in MODES for mode in modes) or ('values' in modes and len(modes) > 1):
            raise Refused(400, 'unsupported_stream_mode', {'supported': MODES})
        if 'application/json' in self.headers.get('accept', ''):
            return self.answer(200, {'events': list(run.log), 'isComplete': run.over()})
        return self.stream(run, modes)

    def panel(self, path, query):
        """The Run Timeline View: a form for each deep link, and no script; the list of runs that it is made of."""
        if path == ['runs']:
            listed = [{'runId': run.id, 'parentRunId': run.source and run.source.id} for run in list(runs.values())]
            wanted = query.get('parentRunId')
            return self.answer(200, {'runs': [run for run in listed if wanted in (None, run['parentRunId'])]})
        if len(path) != 3 or path[0] not in runs or path[1] not in ('replay', 'branch') or not path[2].isdigit():
            raise Refused(404, 'not_found')
        run, mode, number = path
        number = int(number) + ('panel-of-the-next-event' in defects)
        self.send(200, 'text/html; charset=utf-8', f'''<!DOCTYPE html><title>Run {run}</title>
            <form method=post action=/v1/runs/{run}:fork><input type=hidden name=mode value={mode}>
            From <input name="fromSeq" value='{number}'> <button>Fork</button></form>''')

    def poll(self, run, cursor):
        """GET …/events/poll in its other form: {events, isTerminal, lastEventSeq, runStatus}."""
        if not re.fullmatch(r'-?\d+', cursor):
            raise Refused(400, 'validation_error')
        over, log, after = run.over(), list(run.log), int(cursor)
        last = log[-1]['sequence'] if log else None
        self.answer(200, {'events': [event for event in log if event['sequence'] > after], 'isTerminal': over,
                          'lastEventSeq': last, 'runStatus': run.status})

    def stream(self, run, modes):
        """Server-sent events until the terminal one; `values` tells states instead of events."""
        self.send_response(200)
        self.send_header('content-type', 'text/event-stream')
        self.send_header('connection', 'close')
        self.end_headers()
        self.close_connection = True
        given = self.headers.get('last-event-id') or ''
        after, index = int(given) if re.fullmatch(r'-?\d+', given) else 0, 0
        while True:
            with run.changed:
                waited = run.changed.wait_for(lambda: len(run.log) > index or run.over(), 10)
                events, over = run.log[index:], run.over()
            index += len(events)
            for event in events:
                if event['sequence'] > after:
                    data = {'variables': run.variables, 'status': run.status} if modes == ['values'] else event
                    text = 'id: %d\nevent: %s\ndata: %s\n\n' % (event['sequence'], event['type'], json.dumps(data))
                    self.wfile.write(text.encode())
            if not waited:
                self.wfile.write(b': still here\n\n')
            if over:
                return

    def post(self, raw):
        path = urlsplit(self.path).path
        if path == '/v1/host/sample/test/llm-cache-key':
            try:
                request = json.loads(raw, parse_int=float)
                return self.answer(200, {'cacheKey': cache_key(request, 'keys-for-anything' in defects)})
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise Refused(400, 'validation_error') from None
        try:
            body = json.loads(raw) if raw else {}
        except (ValueError, RecursionError):
            raise Refused(400, 'validation_error') from None
        if not isinstance(body, dict):
            raise Refused(400, 'validation_error')
        key, digest = (self.headers.get('idempotency-key'), path), hashlib.sha256(raw).digest()
        if not key[0]:
            return self.answer(*self.act(path, body))
        with creating:
            stored = stored_answers.get(key)
            if stored and stored[0] != digest:
                raise Refused(409, 'idempotency_conflict')
            if not stored:
                stored_answers[key] = (digest, *self.act(path, body))
                return self.answer(*stored_answers[key][1:])
        return self.answer(*stored[1:], {'openwop-Idempotent-Replay': 'true'})

    def act(self, path, body):
        """What a POST makes: its status and its body."""
        if path == '/v1/runs':
            if not isinstance(body.get('workflowId'), str):
                raise Refused(400, 'validation_error')
            if body['workflowId'] not in seeded:
                raise Refused(404, 'workflow_not_found')
            run = Run(definitions[body['workflowId']], body.get('inputs'), body)
            start(run)
            return 201, {'runId': run.id, 'status': run.status, **self.addresses(run)}
        found = re.fullmatch(r'/v1/runs/([^/:]+)(:fork|/cancel|/interrupts/([^/]+))', path)
        run = runs.get(unquote(found[1])) if found else None
        if not run:
            if found and found[2] == ':fork' and 'forks-nobody' in defects:
                return 201, {'runId': str(uuid.uuid4()), 'sourceRunId': found[1], 'fromSeq': 0, 'mode': 'replay',
                             'status': 'completed'}
            raise Refused(404, 'run_not_found')
        if found[2] == ':fork':
            return self.fork(run, body)
        if found[2] == '/cancel':
            run.append('run.cancelled', None, {'reason': 'It was asked for.'})
        else:
            self.resume(run, unquote(found[3]), body)
        return 200, {'runId': run.id, 'status': run.status}

    def resume(self, run, node, body):
        """POST …/interrupts/{nodeId}."""
        with run.executing:
            if run.status == 'cancelled':
                raise Refused(410, 'cancelled')
            if node in run.answers:
                raise Refused(409, 'already_resolved')
            if node != run.waiting:
                raise Refused(404, 'interrupt_not_found')
            if 'resumeValue' not in body:
                raise Refused(400, 'validation_error')
            run.answers[node], run.waiting = body['resumeValue'], None
            start(run)

    def fork(self, source, body):
        """POST :fork (replay.md): the source's events before `fromSeq`, then a replay or a branch."""
        mode, overlay, given = body.get('mode'), body.get('runOptionsOverlay'), body.get('fromSeq', 0)
        if mode not in ('replay', 'branch') or (overlay is not None and not isinstance(overlay, dict)):
            raise Refused(400, 'validation_error')
        if (overlay and mode == 'replay') or (mode == 'branch' and 'fromSeq' not in body) or not fork_point(given):
            raise Refused(400, 'validation_error')
        if given > len(source.log):
            if 'forks-anything' not in defects:
                raise Refused(422, 'sequence_not_found')
            given = 0
        overlay = overlay or {}
        inputs = {**source.inputs, **(overlay.get('inputs') or {})}
        configurable = {**source.configurable, **(overlay.get('configurable') or {})}
        fork = Run(source.workflow, inputs, {**overlay, 'configurable': configurable}, source, mode)
        known = {}
        for event in source.recorded():
            if event['sequence'] < given:
                cause = event.get('causationId')
                payload = renamed(event['payload'], source.id, fork.id)
                copied = fork.append(event['type'], event['nodeId'], payload, known.get(cause, cause))
                known[event['eventId']] = copied['eventId']
        start(fork)
        return 201, {'runId': fork.id, 'sourceRunId': source.id, 'fromSeq': given, 'mode': mode, 'status': fork.status,
                     **self.addresses(fork)}

    def addresses(self, run):
        address = 'http://%s/v1/runs/%s' % (self.headers['host'], run.id)
        return {'eventsUrl': address + '/events', 'statusUrl': address}


class Server(ThreadingHTTPServer):
    """Threads end with the process, and many may wait to be let in."""

    daemon_threads = True
    request_queue_size = 128


def main():
    options = argparse.ArgumentParser(description='A host of somebody else.')
    options.add_argument('definitions')
    options.add_argument('--defects', default='', help=', '.join(DEFECTS))
    given = options.parse_args()
    defects.update(name for name in given.defects.split(',') if name)
    if not defects <= DEFECTS.keys():
        options.error('unknown: ' + ', '.join(sorted(defects - DEFECTS.keys())))
    with open(given.definitions, encoding='utf-8') as file:
        loaded = json.load(file)
    definitions.update({workflow['id']: workflow for workflow in loaded})
    seeded.extend(name for name, workflow in definitions.items()
                  if name not in UNSUPPORTED and all(node['typeId'] in KINDS for node in workflow['nodes']))
    server = Server(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print('http://127.0.0.1:%d' % server.server_port, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == '__main__':
    main()
