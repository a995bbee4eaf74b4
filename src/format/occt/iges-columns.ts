/** Columns of data in a line; the letter of its section and a number of seven columns follow (IGES 5.3, 2.2.1). */
export const DATA_COLUMNS = 72;

/** Columns of data in a line of the parameter section (IGES 5.3, 2.2.4.5). */
export const PARAMETER_COLUMNS = 64;
