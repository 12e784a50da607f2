"""The runs of foreign_host.py: what it executes, records, and takes from the record (replay.md, rfc-0037)."""
import copy
import math
import threading
import time
import uuid

WAITING = {'approval': 'waiting-approval', 'clarification': 'waiting-input', 'external-event': 'waiting-external'}
ENDED_BY = {'run.completed': 'completed', 'run.failed': 'failed', 'run.cancelled': 'cancelled'}

defects = set()
definitions = {}
runs = {}


class Suspended(Exception):
    """The run waits, or it has ended meanwhile: nothing more is executed now."""


class Failed(Exception):
    """The run fails, with this code and message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def now():
    """The time as RFC 3339 has it, in milliseconds."""
    at = time.time()
    return time.strftime('%Y-%m-%dT%H:%M:%S.', time.gmtime(at)) + '%03dZ' % (at * 1000 % 1000)


def renamed(value, old, new):
    """A copy of `value` in which the text `old` is `new` wherever it stands alone."""
    if isinstance(value, dict):
        return {name: renamed(member, old, new) for name, member in value.items()}
    if isinstance(value, list):
        return [renamed(member, old, new) for member in value]
    return new if value == old else copy.copy(value)


class Run:
    """A run: its log is the truth, and variables and channels are what executing along the log yields."""

    def __init__(self, workflow, inputs, options=None, source=None, mode=None, parent=None):
        options = options or {}
        self.id, self.workflow, self.inputs = 'run_' + uuid.uuid4().hex, workflow, inputs or {}
        self.configurable = options.get('configurable') or {}
        self.labels = {name: options[name] for name in ('tags', 'metadata') if name in options}
        self.source, self.mode, self.parent = source, mode, parent
        self.log, self.variables, self.channels = [], {}, {}
        self.status, self.error, self.started_at, self.ended_at = 'pending', None, now(), None
        self.waiting, self.answers, self.diverged = None, {}, False
        self.changed, self.executing = threading.Condition(), threading.RLock()
        runs[self.id] = self

    def over(self):
        return self.status in ENDED_BY.values()

    def append(self, kind, node, payload, cause=None):
        """Appends an event (wire contract, event); None where the run has ended: its log grows no more."""
        with self.changed:
            if self.over():
                return None
            sequence = len(self.log) + 1
            event = {'eventId': str(uuid.uuid4()), 'runId': self.id, 'type': kind, 'payload': payload, 'nodeId': node,
                     'timestamp': now(), 'sequence': sequence, 'seq': sequence}
            if cause:
                event['causationId'] = cause
            self.log.append(event)
            if kind in ENDED_BY:
                self.status, self.ended_at = ENDED_BY[kind], event['timestamp']
                self.error = payload.get('error')
            self.changed.notify_all()
            return event

    def recorded(self):
        """The log without what tells of replays."""
        return [event for event in self.log if not event['type'].startswith('replay.')]

    def snapshot(self):
        """GET /v1/runs/{runId} (wire contract, snapshot)."""
        hidden = self.status == 'failed' and 'snapshot-hides-failure' in defects
        shown = {'runId': self.id, 'workflowId': self.workflow['id'], 'status': 'completed' if hidden else self.status,
                 'startedAt': self.started_at, 'variables': self.variables, 'channels': self.channels, **self.labels}
        if self.ended_at:
            shown['endedAt'] = self.ended_at
        if self.error and not hidden:
            shown['error'] = self.error
        if self.parent:
            shown['parentRunId'] = self.parent
        if self.source:
            shown.update(forkMode=self.mode, sourceRunId=self.source.id)
        return shown


class Execution:
    """Executes a run along its log: what the log holds already is taken from there, the rest is appended.

    A replay takes recorded facts (answers, times, children) from its source's log (replay.md, short-circuits)."""

    def __init__(self, run):
        self.run, self.position, self.variables, self.channels, self.clock = run, 0, {}, {}, 0
        self.supervised, self.turn = None, 0

    def in_source(self):
        """The event that stands in the source's log where this replay is."""
        if self.run.mode != 'replay':
            return None
        log = self.run.source.recorded()
        return log[self.position] if self.position < len(log) else None

    def in_log(self):
        log = self.run.recorded()
        return log[self.position] if self.position < len(log) else None

    def emit(self, kind, node, payload, cause=None, fact=False):
        """The next event. A payload that is a function is called only where nothing is recorded."""
        run, event = self.run, self.in_log()
        if event:
            self.position += 1
            return event
        if run.over():
            raise Suspended
        original = self.in_source()
        if fact and original and (original['type'], original['nodeId']) == (kind, node):
            content = renamed(original['payload'], run.source.id, run.id)
        else:
            content = payload() if callable(payload) else payload
        event = run.append(kind, node, content, cause)
        if event is None:
            raise Suspended
        self.position += 1
        if run.mode == 'replay' and not run.diverged and 'silent-divergence' not in defects:
            same = original and (original['type'], original['nodeId']) == (kind, node)
            if not same or renamed(original['payload'], run.source.id, run.id) != content:
                run.diverged = True
                run.append('replay.diverged', None, {
                    'originalEventId': original and original['eventId'], 'replayEventId': event['eventId'],
                    'divergencePoint': event['sequence']})
        return event

    def set_variable(self, node, name, value, cause):
        """variable.changed in its other form (wire contract: {name, next, previous})."""
        self.emit('variable.changed', node, {'name': name, 'next': value, 'previous': self.variables.get(name)}, cause)
        self.variables[name] = value
        self.run.variables = dict(self.variables)

    def read_inputs(self, node):
        """What a node's inputs are: variables, static values, or what stands there (public fixtures)."""
        read = {}
        for name, given in (node.get('inputs') or {}).items():
            kind = given.get('type') if isinstance(given, dict) else None
            if kind == 'static':
                read[name] = given['value']
            elif kind != 'variable':
                read[name] = given
            elif given['variableName'] in self.variables:
                read[name] = self.variables[given['variableName']]
        return read

    def whole(self):
        """The workflow from its start to its end, or as far as it comes now."""
        run, workflow = self.run, self.run.workflow
        declared = workflow.get('variables', [])
        self.variables = {each['name']: each['defaultValue'] for each in declared if 'defaultValue' in each}
        self.variables.update(run.inputs)
        run.variables = dict(self.variables)
        self.emit('run.started', None, {'workflowId': workflow['id'], 'inputs': run.inputs})
        nodes, index, executed = workflow['nodes'], 0, 0
        try:
            while index < len(nodes):
                executed += 1
                if executed > run.configurable.get('recursionLimit', math.inf):
                    raise Failed('recursion_limit_exceeded', 'That were too many nodes for one run.')
                self.node(nodes[index])
                if nodes[index]['typeId'] == 'core.dispatch':
                    index = [node['typeId'] for node in nodes].index('core.orchestrator.supervisor')
                elif self.supervised and self.supervised['payload']['decision']['kind'] == 'terminate':
                    break
                else:
                    index += 1
            self.emit('run.completed', None, {})
        except Failed as failure:
            self.emit('run.failed', None, {'error': {'code': failure.code, 'message': failure.message}})

    def node(self, node):
        """One node, by its kind (public fixtures)."""
        kind, name, config = node['typeId'], node['id'], node.get('config') or {}
        cause = self.emit('node.started', name, {'typeId': kind})['eventId']
        output, fact = {}, False
        if kind == 'core.fail':
            error = {'code': config.get('code', 'conformance_failure'), 'message': config.get('message', 'It has to fail.')}
            self.emit('node.failed', name, {'error': error}, cause)
            raise Failed(error['code'], error['message'])
        if kind == 'core.identity':
            output = self.read_inputs(node)
        elif kind == 'core.delay':
            given = {**config, **self.read_inputs(node)}
            wait = next((given[each] for each in ('delayMs', 'durationMs', 'ms') if each in given), 1000)
            output, fact = lambda: self.delay(wait), 'silent-divergence' not in defects
        elif kind in ('core.approvalGate', 'core.clarificationGate', 'core.interrupt'):
            asks = {'core.approvalGate': 'approval', 'core.clarificationGate': 'clarification'}
            output = self.interrupt(name, asks.get(kind) or config.get('kind'), config, cause)
        elif kind == 'core.channelWrite':
            self.emit('channel.written', name, {'name': config['channelName'], 'value': config.get('value')}, cause)
            self.write(config)
        elif kind == 'core.subWorkflow':
            mapped = config.get('inputMapping') or {}
            inputs = {own: self.variables[theirs] for own, theirs in mapped.items() if theirs in self.variables}
            succeeded = self.child(name, config['workflowId'], inputs, config.get('outputMapping') or {}, cause)
            if not succeeded and config.get('onChildFailure') != 'absorb':
                raise Failed('child_failed', 'The workflow below did not complete.')
        elif kind == 'core.orchestrator.supervisor':
            plan = config.get('mockDispatchPlan') or config.get('mockDecisions') or []
            decision = plan[self.turn] if self.turn < len(plan) else {'kind': 'terminate'}
            self.turn += 1
            decided = {'agentId': config.get('agentId', 'agent'), 'decision': decision}
            self.supervised = self.emit('runOrchestrator.decided', name, decided, cause)
        elif kind == 'core.dispatch':
            self.dispatch(name, config)
        done = (lambda: {'output': output()}) if callable(output) else {'output': output}
        completed = self.emit('node.completed', name, done, cause, fact)
        if kind == 'core.delay':
            self.clock += completed['payload']['output']['waitedMs']
            self.expire()

    def delay(self, milliseconds):
        """Waits, or until the run ends; what it waited is a fact that replays read (replay.md, clocks)."""
        began = time.monotonic()
        with self.run.changed:
            self.run.changed.wait_for(self.run.over, milliseconds / 1000)
        return {'waitedMs': round((time.monotonic() - began) * 1000, 3), 'timer': str(uuid.uuid4())}

    def write(self, config):
        """Appends to a channel; what is written with a time to live expires by the run's own clock."""
        ends = self.clock + config['ttlMs'] if 'ttlMs' in config else math.inf
        self.channels.setdefault(config['channelName'], []).append((ends, config.get('value')))
        self.expire()

    def expire(self):
        shown = {name: [value for ends, value in written if ends > self.clock] for name, written in self.channels.items()}
        self.run.channels = shown

    def interrupt(self, name, kind, data, cause):
        """Suspends the node until it is answered; a recorded answer is taken (replay.md, interrupts)."""
        run = self.run
        asked = self.emit('node.suspended', name, lambda: {
            'reason': kind, 'runId': run.id, 'nodeId': name, 'interruptId': str(uuid.uuid4()), 'kind': kind,
            'key': name, 'data': data}, cause, fact=True)
        original = self.in_source()
        answered = original and original['type'] == 'interrupt.resolved'
        if not self.in_log() and not answered and name not in run.answers:
            with run.changed:
                run.waiting, run.status = name, WAITING.get(kind, 'paused')
                run.changed.notify_all()
            raise Suspended
        resolved = self.emit('interrupt.resolved', name, lambda: {
            **{each: asked['payload'][each] for each in asked['payload'] if each != 'reason'},
            'resumeValue': run.answers[name]}, asked['eventId'], fact=True)
        self.emit('node.resumed', name, {}, resolved['eventId'])
        return resolved['payload']['resumeValue']

    def dispatch(self, name, config):
        """The workers that the supervisor chose, one after the other (rfc-0037, dispatch)."""
        for worker in self.supervised['payload']['decision'].get('nextWorkerIds', []):
            mapped = (config.get('perWorkerInputMappings') or {}).get(worker, config.get('inputMapping') or {})
            harvest = (config.get('perWorkerOutputMappings') or {}).get(worker) or config.get('outputMapping') or {}
            inputs = {own: self.variables[theirs] for own, theirs in mapped.items() if theirs in self.variables}
            self.child(name, worker, inputs, harvest, self.supervised['eventId'])

    def child(self, name, worker, inputs, harvest, cause):
        """A child run, its events in the parent's log (rfc-0037); whether it completed. A replay keeps the child."""
        def event(phase, cause, more=None, fact=False):
            def payload():
                return {'phase': phase, 'workerId': worker, 'parentRunId': self.run.id, **(more() if more else {})}
            return self.emit('core.workflowChain.event', name, payload, cause, fact)

        def begin():
            begun = Run(definitions[worker], inputs, parent=self.run.id)
            begun.status = 'running'
            execute(begun)
            return {'childRunId': begun.id}

        began = event('dispatch.began', cause)
        if worker not in definitions:
            event('dispatch.failed', began['eventId'])
            raise Failed('dispatch_failed', 'There is no such worker: ' + worker)
        dispatched = event('dispatch.succeeded', began['eventId'], begin, fact=True)
        child = runs[dispatched['payload']['childRunId']]
        ended = event('child.' + child.status, dispatched['eventId'], lambda: {'childRunId': child.id})
        if child.status == 'completed' and harvest:
            harvested = event('output.harvested', ended['eventId'], lambda: {
                'childRunId': child.id, 'harvestedKeys': list(harvest)})
            for own, theirs in harvest.items():
                self.set_variable(name, own, child.variables.get(theirs), harvested['eventId'])
        return child.status == 'completed'


def execute(run):
    """Executes what there is to execute now."""
    with run.executing:
        if run.over():
            return
        try:
            Execution(run).whole()
        except Suspended:
            pass


def start(run):
    run.status = 'running'
    threading.Thread(target=execute, args=(run,), daemon=True).start()
