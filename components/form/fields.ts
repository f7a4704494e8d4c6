import * as z from "zod";

/**
 * The fields of an operation's body, for a form that asks for some of them. Rules that tie fields together stay behind,
 * because zod picks nothing out of a schema that has one.
 */
export function fieldsOf<Shape extends z.core.$ZodShape>({ body }: { body?: z.ZodObject<Shape> }) {
  return z.object(body!.shape);
}

/** What a `CodeField` holds when it is full; operations take more, and say whether it is right. */
export const sixDigits = z.string().regex(/^\d{6}$/);

/** A field that the operation can do without and the form cannot. */
export function required<T extends z.ZodType>(field: z.ZodOptional<z.ZodNullable<T>>): T {
  return field.unwrap().unwrap();
}
