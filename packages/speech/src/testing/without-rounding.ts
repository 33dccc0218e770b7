import { writeAttribute } from "../engines/onnx/graph.ts";
import { readModelNodes } from "../engines/onnx/model-nodes.ts";
import type { FuseNode } from "../engines/onnx/node-index.ts";

/**
 * The same network with the weights of its products, but numbers that are only limited to their range, not rounded: finite
 * differences of rounded numbers say nothing about a gradient.
 */
export function withoutRounding(file: Uint8Array): Uint8Array {
  const model = readModelNodes(file);
  const node = (type: string, inputs: readonly string[], output: string, attributes: readonly Uint8Array[] = []) => ({
    ...{ type, domain: "", inputs, outputs: [output], attributes },
  });
  const toFloat = [writeAttribute("to", 1)];
  const replaced = ({ type, inputs, outputs }: FuseNode): readonly FuseNode[] | undefined => {
    const [output = ""] = outputs;
    const part = (name: string) => `${output}.${name}`;
    if (type === "QuantizeLinear") {
      const [value = "", step = "", zero = ""] = inputs;
      return [
        node("Constant", [], part("255"), [writeAttribute("value_int", 255)]),
        node("Cast", [part("255")], part("last"), toFloat),
        node("Cast", [zero], part("zero"), toFloat),
        node("Sub", [part("last"), part("zero")], part("above")),
        node("Mul", [part("above"), step], part("most")),
        node("Neg", [part("zero")], part("below")),
        node("Mul", [part("below"), step], part("least")),
        node("Clip", [value, part("least"), part("most")], output),
      ];
    }
    if (type !== "MatMulIntegerToFloat") return undefined;
    const [value = "", bytes = "", , scale = "", , , bias = ""] = inputs;
    return [
      node("Cast", [bytes], part("whole"), toFloat),
      node("Mul", [part("whole"), scale], part("weights")),
      node("MatMul", [value, part("weights")], bias === "" ? output : part("product")),
      ...(bias === "" ? [] : [node("Add", [part("product"), bias], output)]),
    ];
  };
  return model.write(model.nodes.flatMap((each) => replaced(each) ?? [each]));
}
