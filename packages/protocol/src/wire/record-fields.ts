import { z } from "zod";

// Fields of bodies and records. Each has a description, which the OpenAPI document shows.
export const text = (description: string) => z.string().meta({ description });
export const textOrNull = (description: string) => z.string().nullable().meta({ description });
export const flag = (description: string) => z.boolean().meta({ description });
export const integer = (description: string) => z.number().int().meta({ description });
export const count = (description: string) => z.number().int().min(0).meta({ description });
export const time = (description: string) => z.string().meta({ format: "date-time", description });
export const timeOrNull = (description: string) =>
  z.string().meta({ format: "date-time" }).nullable().meta({ description });
