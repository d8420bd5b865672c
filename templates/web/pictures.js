// Pan and zoom of a picture.
"use strict";
