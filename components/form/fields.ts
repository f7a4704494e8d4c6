import * as z from "zod";

/**
 * The fields of an operation's body, for a form that asks for some of them. Rules that tie fields together stay behind,
 * because zod picks nothing out of a schema that has one.
 */
export function fieldsOf<Shape extends z.core.$ZodShape>({ body }: { body?: z.ZodObject<Shape> }) {
  return z.object(body!.shape);
}

/** A field that the operation can do without and the form cannot. */
export function required<T extends z.ZodType>(field: z.ZodOptional<z.ZodNullable<T>>): T {
  return field.unwrap().unwrap();
}
