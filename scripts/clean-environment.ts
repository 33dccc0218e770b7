/**
 * The environment without the settings of Parlance and OpenTelemetry: tests start servers and commands, which must not
 * find what the developer's shell is set to. `PARLANCE_TEST_*` belongs to the tests and stays.
 */
export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(PARLANCE_(?!TEST_)|OTEL_)/.test(name)));
}
