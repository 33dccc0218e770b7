import { type CapacityReport, LOST_AFTER_MS, type ServiceInfo, SUSPECT_AFTER_MS } from "./capacity.ts";
import { CONTINUES_STREAMS } from "./frames.ts";

/** A job of this node, as far as the choice of a machine needs it. */
export interface PlacedJob {
  readonly kind: string;
}

/** A worker machine, as this node knows it. */
export interface Machine<Job extends PlacedJob> {
  readonly id: string;
  report: CapacityReport;
  seenAt: number;
  /** The jobs of this node that it has. */
  readonly jobs: Set<Job>;
  /** Jobs of other nodes, by kind, at the time of its report. */
  others: ReadonlyMap<string, number>;
  /** Random, and different on each node: nodes that do not know of each other's latest jobs should not all choose the same machine. */
  readonly rank: number;
}

/** The machines that report, and what is known of their work. */
export interface Machines<Job extends PlacedJob> {
  /** Undefined for a machine that is one too many. */
  update(report: CapacityReport): Machine<Job> | undefined;
  has(id: string): boolean;
  /**
   * Where there is no place for a further machine: the one that has been silent for longest and has no jobs of this node. Without
   * it, names that were used once, as by a machine that connects again and again, would keep others out until they are lost.
   */
  replaceable(): Machine<Job> | undefined;
  remove(machine: Machine<Job>): void;
  all(): readonly Machine<Job>[];
  isSuspect(machine: Machine<Job>): boolean;
  isLost(machine: Machine<Job>): boolean;
  /**
   * The machines that take this kind of work, of this version or a later one: those with an idle worker process first, then by
   * their room in whole jobs.
   */
  offering(kind: string, version?: number): readonly Machine<Job>[];
  /** The machines that will leave: they only take further chunks of streams. */
  draining(kind: string, version?: number): readonly Machine<Job>[];
  /** How many more jobs it can take without delaying its others. */
  room(machine: Machine<Job>, kind: string): number;
  /** Worker processes of all machines that take this kind of work. */
  workers(kind: string): number;
  /** Jobs for each worker process of the machine with the fewest; infinite without a machine that takes this kind of work. */
  load(kind: string): number;
  /** Machines that take work of any kind. */
  usable(): number;
  /** What a machine has reported last, also when none is connected now. */
  info(kind: string): ServiceInfo | undefined;
}

/** More machines are not known: a report is a few hundred bytes, and each is read several times a second. */
const MAX_MACHINES = 1_000;
/** Kinds of work; there are about ten. */
const MAX_KINDS = 256;

export function createMachines<Job extends PlacedJob>(now: () => number, maxMachines = MAX_MACHINES): Machines<Job> {
  const machines = new Map<string, Machine<Job>>();
  const known = new Map<string, ServiceInfo>();
  /** The sums of `workers`, until an offer or the time changes: admission asks for each stream, however many machines there are. */
  const sums = new Map<string, number>();
  let summedAt = now();

  const ownJobs = ({ jobs }: Machine<Job>, kind: string): number => {
    let count = 0;
    for (const job of jobs) if (job.kind === kind) count++;
    return count;
  };
  const isSuspect = ({ seenAt }: Machine<Job>): boolean => now() - seenAt > SUSPECT_AFTER_MS;
  const takes = (machine: Machine<Job>, kind: string): boolean =>
    !machine.report.draining && (machine.report.services[kind]?.workers ?? 0) > 0 && !isSuspect(machine);
  const running = (machine: Machine<Job>, kind: string): number =>
    (machine.others.get(kind) ?? 0) + ownJobs(machine, kind);
  const room = (machine: Machine<Job>, kind: string): number => {
    const service = machine.report.services[kind];
    return service ? service.workers / service.cost - running(machine, kind) : 0;
  };
  /** A job behind another one starts later, however fast the machine is. */
  const isIdle = (machine: Machine<Job>, kind: string): boolean =>
    running(machine, kind) < (machine.report.services[kind]?.workers ?? 0);

  return {
    update(report) {
      const existing = machines.get(report.id);
      if (existing === undefined && machines.size >= maxMachines) return undefined;
      if (!existing || isSuspect(existing) || !isSameOffer(existing.report, report)) sums.clear();
      const fresh = { id: report.id, report, seenAt: 0, jobs: new Set<Job>(), others: new Map(), rank: Math.random() };
      const machine = existing ?? fresh;
      machine.report = report;
      machine.seenAt = now();
      machine.others = new Map(
        Object.entries(report.services).map(([kind, { running }]) => [
          kind,
          Math.max(0, running - ownJobs(machine, kind)),
        ]),
      );
      for (const [kind, { workers, about }] of Object.entries(report.services))
        if (workers > 0 && (known.has(kind) || known.size < MAX_KINDS)) known.set(kind, about);
      machines.set(report.id, machine);
      return machine;
    },
    has: (id) => machines.has(id),
    replaceable() {
      if (machines.size < maxMachines) return undefined;
      let stalest: Machine<Job> | undefined;
      for (const machine of machines.values()) {
        if (!isSuspect(machine) || machine.jobs.size > 0) continue;
        if (stalest === undefined || machine.seenAt < stalest.seenAt) stalest = machine;
      }
      return stalest;
    },
    remove({ id }) {
      machines.delete(id);
      sums.clear();
    },
    all: () => [...machines.values()],
    isSuspect,
    isLost: ({ seenAt }) => now() - seenAt > LOST_AFTER_MS,
    offering: (kind, least = 0) =>
      [...machines.values()]
        .filter((machine) => machine.report.version >= least && takes(machine, kind))
        .map((machine) => ({ machine, idle: isIdle(machine, kind), free: Math.floor(room(machine, kind)) }))
        .sort((a, b) => Number(b.idle) - Number(a.idle) || b.free - a.free || a.machine.rank - b.machine.rank)
        .map(({ machine }) => machine),
    draining: (kind, least = CONTINUES_STREAMS) =>
      [...machines.values()].filter((machine) => {
        const { draining, version, services } = machine.report;
        const isAble = version >= Math.max(least, CONTINUES_STREAMS);
        return draining && isAble && (services[kind]?.workers ?? 0) > 0 && !isSuspect(machine);
      }),
    room,
    workers(kind) {
      if (summedAt !== now()) sums.clear();
      summedAt = now();
      const summed = sums.get(kind);
      if (summed !== undefined) return summed;
      let sum = 0;
      for (const machine of machines.values()) {
        if (takes(machine, kind)) sum += machine.report.services[kind]?.workers ?? 0;
      }
      sums.set(kind, sum);
      return sum;
    },
    load(kind) {
      let least = Number.POSITIVE_INFINITY;
      for (const machine of machines.values()) {
        const workers = machine.report.services[kind]?.workers ?? 0;
        if (takes(machine, kind)) least = Math.min(least, running(machine, kind) / workers);
      }
      return least;
    },
    usable: () => [...machines.values()].filter((each) => !each.report.draining && !isSuspect(each)).length,
    info: (kind) => known.get(kind),
  };
}

function isSameOffer(before: CapacityReport, after: CapacityReport): boolean {
  const kinds = Object.keys(after.services);
  return (
    before.draining === after.draining &&
    kinds.length === Object.keys(before.services).length &&
    kinds.every((kind) => before.services[kind]?.workers === after.services[kind]?.workers)
  );
}
