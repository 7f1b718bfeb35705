/** What an empty field means, by what is shown in it. */
export const byDefault = (value: string | number): string => `default: ${value}`;

/** The form of what goes into an empty field, which means nothing by itself. */
export const suchAs = (example: string): string => `such as ${example}`;
