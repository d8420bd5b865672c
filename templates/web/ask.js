// A question as it is researched.
"use strict";
