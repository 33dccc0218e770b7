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
    readonly readinessProbe?: { readonly httpGet: { readonly port: string } };
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
