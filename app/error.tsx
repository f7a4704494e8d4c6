"use client";

/** A page failed to render outside of the panel, whose own error page keeps the menu. */
export { LastResort as default } from "./last-resort";
