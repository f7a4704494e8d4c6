import * as z from "zod";
import { message, success as succeeded } from "./schema";

/*
 * Fields of the contracts with their description and example; `import * as f`. Common fields, such as an id, are in
 * `schema.ts`.
 */

/** `.meta()` of a field; an example is what goes in. */
const words = (description: string, example: unknown) =>
  example === undefined ? { description } : { description, example: example as never };

/** A text of an output. */
export const text = (description: string, example?: string) => z.string().meta(words(description, example));

/** A whole number of an output. */
export const integer = (description: string, example?: number) => z.int().meta(words(description, example));

/** True or false in an output. */
export const boolean = (description: string, example?: boolean) =>
  z.boolean().meta(words(description, example));

/** A field of an output that can be null. */
export const nullable = <T extends z.ZodType>(schema: T, description: string, example?: z.input<T> | null) =>
  schema.nullable().meta(words(description, example));

/** A field of an input that can be left out. */
export const nullish = <T extends z.ZodType>(schema: T, description: string, example?: z.input<T> | null) =>
  schema.nullish().meta(words(description, example));

/** A list of an output. */
export const list = <T extends z.ZodType>(item: T, description: string, example?: z.input<T>[]) =>
  z.array(item).meta(words(description, example));

/** One of several texts. */
export const oneOf = <const T extends readonly string[]>(
  values: T,
  description: string,
  example?: T[number],
) => z.enum(values).meta(words(description, example));

/** An object with a name of its own in the API's description. */
export const named = <T extends z.core.$ZodLooseShape>(id: string, description: string, shape: T) =>
  z.object(shape).meta({ id, description });

/** The output of an operation that reads. */
export const success = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.object({ success: succeeded, ...shape });

/** The output of an operation that changes something: with a message for people. */
export const changed = <T extends z.core.$ZodLooseShape = Record<never, never>>(shape: T = {} as T) =>
  z.object({ success: succeeded, message, ...shape });
