import * as z from "zod";
import { message, success as succeeded } from "./schema";

/* Contract fields with description and example, for `import * as f`. Common fields are in `schema.ts`. */

const toMeta = (description: string, example: unknown) =>
  example === undefined ? { description } : { description, example: example as never };

export const text = (description: string, example?: string) => z.string().meta(toMeta(description, example));

export const integer = (description: string, example?: number) => z.int().meta(toMeta(description, example));

export const boolean = (description: string, example?: boolean) =>
  z.boolean().meta(toMeta(description, example));

export const nullable = <T extends z.ZodType>(schema: T, description: string, example?: z.input<T> | null) =>
  schema.nullable().meta(toMeta(description, example));

export const nullish = <T extends z.ZodType>(schema: T, description: string, example?: z.input<T> | null) =>
  schema.nullish().meta(toMeta(description, example));

export const list = <T extends z.ZodType>(item: T, description: string, example?: z.input<T>[]) =>
  z.array(item).meta(toMeta(description, example));

export const oneOf = <const T extends readonly string[]>(
  values: T,
  description: string,
  example?: T[number],
) => z.enum(values).meta(toMeta(description, example));

/** Object with a schema name of its own in OpenAPI. */
export const namedObject = <T extends z.core.$ZodLooseShape>(id: string, description: string, shape: T) =>
  z.object(shape).meta({ id, description });

export const success = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.object({ success: succeeded, ...shape });

/** Output of an operation that writes, with a message for display. */
export const changeOutput = <T extends z.core.$ZodLooseShape = Record<never, never>>(shape: T = {} as T) =>
  z.object({ success: succeeded, message, ...shape });
