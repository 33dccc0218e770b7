import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readConfig, SETTING_GROUPS } from "@parlance/server";
import { load, loadAll } from "js-yaml";

const folder = fileURLToPath(new URL("../../deploy/kubernetes", import.meta.url));
const { drainSeconds } = readConfig({}).config;

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Record<string, unknown>;
}

interface PodSpec {
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly {
    readonly image: string;
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
    readonly ports?: readonly { readonly name: string }[];
    readonly startupProbe?: Probe;
    readonly readinessProbe?: Probe;
    readonly livenessProbe?: Probe;
    readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }[];
}

interface Probe {
  readonly httpGet: { readonly port: string };
}

interface Selector {
  readonly app?: string;
  readonly matchLabels?: { readonly app: string };
}

interface Policy {
  readonly podSelector: Selector;
  readonly ingress?: readonly {
    readonly from?: readonly {
      readonly podSelector: { readonly matchExpressions: readonly [{ readonly values: readonly string[] }] };
    }[];
    readonly ports: readonly { readonly port: string }[];
  }[];
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { readonly literals: readonly string[] }[];
  readonly secretGenerator: readonly { readonly literals: readonly string[] }[];
}

const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const kustomization = load(read("kustomization.yaml")) as Kustomization;
const manifests = kustomization.resources.flatMap((name) => loadAll(read(name)) as Manifest[]);
const find = (kind: string, name: string): Manifest => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  assert.ok(found, `${kind} ${name}`);
  return found;
};
const podOf = (name: string): PodSpec => {
  const { template } = find("Deployment", name).spec as { template: { spec: PodSpec } };
  return template.spec;
};

describe("the Kubernetes manifests", () => {
  for (const manifest of manifests) {
    it(`follow the schema of the API: ${manifest.kind} ${manifest.metadata.name}`, async () => {
      // The package has a folder for each group; the core group is "v1".
      const models = await import(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`);
      const model = new models[manifest.kind](manifest);
      model.validate();
      assert.throws(() => new models[manifest.kind]({ ...manifest, metadata: { name: 1 } }).validate());
    });
  }

  it("contain every part of a cluster, and may be disrupted one pod at a time", () => {
    for (const name of ["api", "worker", "nats"]) {
      find("Deployment", name);
      find("NetworkPolicy", name);
    }
    for (const name of ["api", "worker"]) {
      assert.equal(find("PodDisruptionBudget", name).spec?.minAvailable, 1);
      const [container] = podOf(name).containers;
      for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"] as const) assert.ok(container?.[probe]);
    }
    for (const name of ["api", "nats"]) find("Service", name);
  });

  it("let nothing reach a pod but what is named, and NATS only from api nodes and workers", () => {
    const { podSelector, ingress } = find("NetworkPolicy", "deny-all").spec as unknown as Policy;
    assert.deepEqual([podSelector, ingress], [{}, undefined]);
    const { ingress: toNats = [] } = find("NetworkPolicy", "nats").spec as unknown as Policy;
    assert.deepEqual(
      toNats.map(({ from }) => from?.map((each) => each.podSelector.matchExpressions[0].values)),
      [[["api", "worker"]]],
    );
  });

  it("select pods that exist, by ports that they have", () => {
    const labels = manifests.flatMap(({ spec }) => {
      const { template } = (spec ?? {}) as { template?: { metadata: { labels: { app: string } } } };
      return template ? [template.metadata.labels.app] : [];
    });
    const selected = manifests.flatMap(({ kind, spec }) => {
      const { selector, podSelector } = (spec ?? {}) as { selector?: Selector; podSelector?: Selector };
      const app = kind === "Service" ? selector?.app : (selector ?? podSelector)?.matchLabels?.app;
      return app === undefined ? [] : [app];
    });
    assert.ok(selected.length >= 9);
    for (const app of selected) assert.ok(labels.includes(app), app);
    for (const name of ["api", "worker", "nats"]) {
      const { ingress = [] } = find("NetworkPolicy", name).spec as unknown as Policy;
      const known = podOf(name).containers.flatMap(({ ports = [] }) => ports.map((port) => port.name));
      for (const { port } of ingress.flatMap(({ ports }) => ports)) assert.ok(known.includes(port), `${name} ${port}`);
    }
  });

  it("fill one volume with the models that all workers read", () => {
    find("PersistentVolumeClaim", "models");
    const { template } = find("Job", "fetch-models").spec as unknown as { template: { spec: PodSpec } };
    for (const { volumes = [], containers } of [template.spec, podOf("worker")]) {
      const volume = volumes.find(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === "models");
      const mount = containers[0]?.volumeMounts?.find(({ name }) => name === volume?.name);
      assert.equal(mount?.mountPath, "/models");
    }
    assert.deepEqual(template.spec.containers[0]?.args?.slice(0, 2), ["models", "pull"]);
  });

  it("start the commands of the roles, with settings that exist", () => {
    assert.deepEqual(podOf("api").containers[0]?.args, ["serve", "--role", "api"]);
    assert.deepEqual(podOf("worker").containers[0]?.args, ["work"]);
    const names = new Set(SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ name }) => name)));
    const generated = [...kustomization.configMapGenerator, ...kustomization.secretGenerator]
      .flatMap(({ literals }) => literals)
      .map((literal) => literal.split("=", 1)[0] ?? "");
    const given = ["api", "worker"].flatMap((pod) => podOf(pod).containers.flatMap(({ env = [] }) => env));
    for (const name of [...generated, ...given.map((each) => each.name)]) assert.ok(names.has(name), name);
  });

  it("wait longer than the roles drain before they kill them", () => {
    for (const name of ["api", "worker"]) {
      const { terminationGracePeriodSeconds = 0, containers } = podOf(name);
      const set = containers[0]?.env?.find((each) => each.name === "PARLANCE_DRAIN_SECONDS")?.value;
      assert.ok(terminationGracePeriodSeconds > Number(set ?? drainSeconds) + 5, name);
    }
  });

  it("probe ports that the containers have", () => {
    for (const name of ["api", "worker", "nats"]) {
      for (const { ports = [], readinessProbe } of podOf(name).containers) {
        assert.ok(
          ports.some((port) => port.name === readinessProbe?.httpGet.port),
          name,
        );
      }
    }
  });

  it("scale the workers by the used capacity", () => {
    const { scaleTargetRef, metrics } = find("HorizontalPodAutoscaler", "worker").spec as {
      scaleTargetRef: { kind: string; name: string };
      metrics: readonly { object: { metric: { name: string } } }[];
    };
    find(scaleTargetRef.kind, scaleTargetRef.name);
    assert.equal(metrics[0]?.object.metric.name, "parlance_capacity_used_ratio");
  });
});
